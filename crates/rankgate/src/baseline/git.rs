//! The baseline as another revision has it, through the `git` command.
//!
//! A change that edits the baseline would be judged by its own word; read from the branch it is to be merged into, the
//! baseline is the one that was accepted there.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use crate::{Error, Place, Problem, Result};

/// A file as a revision has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The commit, in full.
    pub revision: String,
    /// The file's bytes; `None` where the revision has no such file.
    pub bytes: Option<Vec<u8>>,
}

/// What asks for the merge base with the target branch.
const MERGE_BASE: &str = "merge-base";

/// Where a CI says which branch a change is to be merged into.
const TARGET_VARIABLES: [&str; 6] = [
    "GITHUB_BASE_REF",
    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
    "BITBUCKET_PR_DESTINATION_BRANCH",
    "CHANGE_TARGET",
    "SYSTEM_PULLREQUEST_TARGETBRANCH",
    "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
];

/// The target branch where nobody names one.
const USUAL_TARGETS: [&str; 5] = [
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
    "refs/heads/main",
    "refs/heads/master",
];

/// What git takes from its surroundings in a hook: the repository is the one that the file lies in.
const SURROUNDINGS: [&str; 11] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_SHALLOW_FILE",
    "GIT_GRAFT_FILE",
    "GIT_REPLACE_REF_BASE",
];

/// A file as `reference` has it: `merge-base`, `merge-base:BRANCH` or a revision.
pub fn show(path: &Path, reference: &str) -> Result<Shown> {
    let git = Git::at(path)?;
    let revision = match reference.strip_prefix(MERGE_BASE).map(|rest| (rest, rest.strip_prefix(':'))) {
        Some(("", _)) => git.merge_base(&git.target()?)?,
        Some((_, Some(branch))) => git.merge_base(&git.named(branch)?)?,
        _ => git.named(reference)?,
    };
    let object = format!("{revision}:./{}", git.name());
    if git.ask(["cat-file", "-e", object.as_str()]).is_err() {
        return Ok(Shown { revision, bytes: None });
    }
    let bytes = git
        .bytes(["show", object.as_str()])
        .map_err(|said| git.problem(format!("cannot be read: {said}")))?;
    Ok(Shown { revision, bytes: Some(bytes) })
}

/// The commit that is checked out where the file lies, if there is one.
pub fn head(path: &Path) -> Option<String> {
    let git = Git::at(path).ok()?;
    git.ask(["rev-parse", "HEAD"]).ok().map(|text| text.trim().to_owned())
}

/// The name of the user, as git knows it where the file lies.
pub fn user(path: &Path) -> Option<String> {
    let git = Git::at(path).ok()?;
    let name = git.ask(["config", "user.name"]).ok()?;
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// The repository that a file lies in.
struct Git<'a> {
    file: &'a Path,
    folder: &'a Path,
}

impl<'a> Git<'a> {
    fn at(file: &'a Path) -> Result<Self> {
        // The first baseline has no folder yet, and a change may have taken it away.
        let is_there = |folder: &&Path| *folder != Path::new("") && folder.is_dir();
        let folder = file.ancestors().skip(1).find(is_there).unwrap_or(Path::new("."));
        let git = Self { file, folder };
        match git.ask(["rev-parse", "--is-inside-work-tree"]) {
            Ok(_) => Ok(git),
            Err(said) => Err(git
                .problem(format!("`baseline.ref` reads the baseline from git, and git says: {said}"))
                .hint("leave `baseline.ref` out where there is no repository")
                .into()),
        }
    }

    /// The file as its folder names it, with the slashes of git.
    fn name(&self) -> String {
        let name = self.file.strip_prefix(self.folder).unwrap_or(self.file);
        let parts: Vec<_> = name.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        parts.join("/")
    }

    /// The branch that the change is to be merged into.
    fn target(&self) -> Result<String> {
        let named = TARGET_VARIABLES.iter().find_map(|name| {
            std::env::var(name).ok().filter(|value| !value.is_empty()).map(|value| (*name, value))
        });
        if let Some((variable, branch)) = named {
            let branch = branch.strip_prefix("refs/heads/").unwrap_or(&branch).to_owned();
            return self.named(&branch).map_err(|_| {
                let what =
                    format!("`{variable}` names the branch `{branch}`, which this clone does not have");
                Error::from(self.problem(what).hint(self.how_to_fetch(&branch)))
            });
        }
        let found = USUAL_TARGETS.iter().find_map(|branch| self.commit(branch));
        found.ok_or_else(|| {
            self.problem(format!(
                "no target branch is known: this clone has none of {}",
                USUAL_TARGETS.map(short).join(", ")
            ))
            .hint(if self.is_shallow() {
                self.how_to_fetch("main")
            } else {
                "name it: `ref = \"merge-base:origin/develop\"`".to_owned()
            })
            .into()
        })
    }

    /// The commit of a revision: of a branch as the remote has it, else as it is here, else of whatever else git finds
    /// under that name. In this order, since git itself prefers a tag, which the change may bring along.
    fn named(&self, revision: &str) -> Result<String> {
        // What is checked out here is never what the remote calls its HEAD.
        let is_here = ["HEAD", "@"].iter().any(|name| revision.starts_with(name));
        let branch = || {
            ["refs/remotes/origin/", "refs/heads/", "refs/remotes/"]
                .iter()
                .find_map(|namespace| self.commit(&format!("{namespace}{revision}")))
                .filter(|_| !is_here)
        };
        branch().or_else(|| self.commit(revision)).ok_or_else(|| {
            self.problem(format!("`baseline.ref`: this clone knows no revision `{revision}`"))
                .hint(self.how_to_fetch(revision))
                .into()
        })
    }

    fn commit(&self, revision: &str) -> Option<String> {
        let object = format!("{revision}^{{commit}}");
        let found =
            self.ask(["rev-parse", "--verify", "--quiet", "--end-of-options", object.as_str()]).ok()?;
        Some(found.trim().to_owned())
    }

    fn merge_base(&self, target: &str) -> Result<String> {
        match self.ask(["merge-base", "HEAD", target]) {
            Ok(found) => Ok(found.trim().to_owned()),
            Err(_) => Err(self
                .problem(format!("HEAD and `{target}` have no common commit in this clone"))
                .hint(self.how_to_fetch(target))
                .into()),
        }
    }

    fn is_shallow(&self) -> bool {
        self.ask(["rev-parse", "--is-shallow-repository"]).is_ok_and(|said| said.trim() == "true")
    }

    fn how_to_fetch(&self, branch: &str) -> String {
        if self.is_shallow() {
            "the clone is shallow: fetch its history with `git fetch --unshallow origin`, or clone with it \
             (GitHub: `fetch-depth: 0` for actions/checkout; GitLab: `GIT_DEPTH: 0`)"
                .to_owned()
        } else {
            format!("fetch it: `git fetch origin {branch}`")
        }
    }

    fn problem(&self, what: impl Into<String>) -> Problem {
        Problem::new(Place::file(self.file), what)
    }

    /// What git says on standard output, or the first line of what it complains of.
    fn ask<const N: usize>(&self, arguments: [&str; N]) -> std::result::Result<String, String> {
        String::from_utf8(self.bytes(arguments)?).map_err(|_| "git answers in another encoding".to_owned())
    }

    /// The same, as it is.
    fn bytes<const N: usize>(&self, arguments: [&str; N]) -> std::result::Result<Vec<u8>, String> {
        let mut command = Command::new("git");
        command.arg("-C").arg(self.folder).args(arguments.map(OsStr::new)).env("LC_ALL", "C");
        for variable in SURROUNDINGS {
            command.env_remove(variable);
        }
        let output = command.output().map_err(|error| format!("`git` cannot be run: {error}"))?;
        if output.status.success() {
            Ok(output.stdout)
        } else {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            Err(said.lines().next().unwrap_or("no reason given").to_owned())
        }
    }
}

/// A branch as people write it.
fn short(reference: &str) -> &str {
    reference.trim_start_matches("refs/remotes/").trim_start_matches("refs/heads/")
}
