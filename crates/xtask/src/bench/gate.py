"""Runs a command and prints its CPU seconds and peak megabytes as JSON.

    gate.py STATUS COMMAND...

STATUS is the exit status that the command must have.
"""
import json
import resource
import subprocess
import sys

wanted, command = int(sys.argv[1]), sys.argv[2:]
done = subprocess.run(command, stdout=subprocess.DEVNULL)
if done.returncode != wanted:
    sys.exit("%r ended with %d instead of %d" % (command, done.returncode, wanted))
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"seconds": usage.ru_utime + usage.ru_stime, "megabytes": usage.ru_maxrss / 1024}))
