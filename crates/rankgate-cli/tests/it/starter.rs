//! What `init` writes works as it is.

use crate::support::{project, screen};

#[test]
fn the_starter_passes_its_own_gate() {
    let project = project();
    assert_eq!(project.run(["init"]).status, 0);
    let check = screen(&project, ["check"]);
    assert!(check.contains("\nok\n") && check.ends_with("--- stderr\n--- exit 0"), "{check}");
    let run = screen(&project, ["run", "-o", "report.json", "-o", "junit.xml"]);
    assert!(run.contains("\nPASS  all 2 rules passed\n"), "{run}");
    assert!(run.ends_with("exit 0: gate passed\n--- stderr\n--- exit 0"), "{run}");
    // The workflow that was written runs this very command.
    let workflow = project.read(".github/workflows/rankgate.yml");
    assert!(workflow.contains("run: rankgate run -o report.json -o junit.xml"), "{workflow}");
    // It installs from where the binary really is.
    let install = "cargo install --locked --git https://github.com/rankgate/rankgate rankgate-cli";
    assert!(workflow.contains(install), "{workflow}");
}

#[test]
fn the_starter_notices_a_retriever_that_got_worse() {
    let project = project();
    project.run(["init"]);
    let output = project.run(["run", "--set", r"retriever.token_pattern=(?u)\b\w{8,}\b"]);
    assert_eq!(output.status, 1, "{}", output.stdout);
}

#[test]
fn a_folder_below_finds_the_configuration() {
    let project = project();
    project.run(["init"]);
    project.write("src/deep/file", "");
    let output = project.command().current_dir(project.root().join("src/deep")).arg("run").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
