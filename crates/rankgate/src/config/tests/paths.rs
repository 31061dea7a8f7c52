//! Finding the file, and what its paths are relative to.

use super::*;

#[test]
fn are_relative_to_the_file_that_names_them() {
    let path = Path::new("../team/rankgate.toml");
    let resolved = resolve_text(Some((path, MINIMAL)), &sets(&["corpus.path=here"])).unwrap();
    assert_eq!(resolved.settings.golden.path, Some("../team/eval/q.jsonl".into()));
    assert_eq!(resolved.settings.corpus.unwrap().path, Path::new("here"));
}

#[test]
fn a_file_is_looked_for_upwards() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("a/b");
    std::fs::create_dir_all(&below).unwrap();
    std::fs::write(folder.path().join(FILE_NAME), MINIMAL).unwrap();
    let resolved = resolve(&Inputs { cwd: below, ..inputs() }).unwrap();
    assert_eq!(resolved.config_path.as_deref(), Some(Path::new("../../rankgate.toml")));
    assert_eq!(resolved.settings.golden.path, Some("../../eval/q.jsonl".into()));
}

#[test]
fn a_file_is_named_by_flag_or_else_by_variable() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["flag", "variable"] {
        let text = format!("name = \"{name}\"\n{MINIMAL}");
        std::fs::write(folder.path().join(format!("{name}.toml")), text).unwrap();
    }
    let mut inputs = env(&[("RANKGATE_CONFIG", "variable.toml")]);
    inputs.cwd = folder.path().to_owned();
    assert_eq!(resolve(&inputs).unwrap().settings.name, "variable");
    inputs.config = Some("flag.toml".into());
    assert_eq!(resolve(&inputs).unwrap().settings.name, "flag");
}

#[test]
fn no_file_and_a_missing_file_are_different_errors() {
    assert_snapshot!(resolve(&inputs()).unwrap_err(), @r#"
    no `rankgate.toml` in /nowhere or any folder above it
      hint: `rankgate init` writes one to start from; `--config PATH` names one elsewhere
    "#);
    let named = env(&[("RANKGATE_CONFIG", "gone.toml")]);
    assert_snapshot!(resolve(&named).unwrap_err(), @r#"
    gone.toml: cannot read the configuration: No such file or directory (os error 2)
      hint: the file is named by `RANKGATE_CONFIG`
    "#);
}
