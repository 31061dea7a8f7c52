"""Runs a command and prints its CPU seconds and peak megabytes as JSON.

    gate.py STATUS COMMAND...

STATUS is the exit status that the command must have. The process is spawned and not forked: a fork of this
interpreter would be counted as work of the command.
"""
import json
import os
import sys

wanted, command = int(sys.argv[1]), sys.argv[2:]
null = os.open(os.devnull, os.O_WRONLY)
child = os.posix_spawnp(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
_, status, usage = os.wait4(child, 0)
status = os.waitstatus_to_exitcode(status)
if status != wanted:
    sys.exit("%r ended with %d instead of %d" % (command, status, wanted))
print(json.dumps({"seconds": usage.ru_utime + usage.ru_stime, "megabytes": usage.ru_maxrss / 1024}))
