//! Benchmarks against other tools, on generated data.
//!
//! Each measurement is a process of its own with one thread; the systems take turns, so that what else the machine
//! does falls on all of them alike, and the tables show medians.

pub mod gate;
pub mod power;
pub mod retrieve;
pub mod stats;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The folder of the workspace.
fn root() -> Result<&'static Path> {
    Ok(Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).ok_or("the workspace has no root")?)
}

/// Builds our side of a benchmark, an example of a package, and returns where it is.
fn build_example(root: &Path, package: &str, example: &str) -> Result<PathBuf> {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(root);
    command.args(["build", "--release", "--package", package, "--example", example]);
    output(&mut command)?;
    Ok(root.join("target/release/examples").join(example))
}

/// A virtual environment with the other tools, made once.
fn install(root: &Path, packages: &[&str]) -> Result<PathBuf> {
    let folder = root.join("target/bench/venv");
    let python = folder.join("bin/python");
    if !python.exists() {
        output(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    }
    output(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(packages))?;
    Ok(python)
}

fn is_installed(python: &Path, package: &str) -> bool {
    let code = format!("import importlib.metadata as m; m.version('{package}')");
    Command::new(python).args(["-c", &code]).output().is_ok_and(|output| output.status.success())
}

/// What a command prints. One thread each; settings that bend numpy's linear algebra are taken away.
fn output(command: &mut Command) -> Result<String> {
    command.env("OMP_NUM_THREADS", "1").env("OPENBLAS_NUM_THREADS", "1");
    command.env_remove("OPENBLAS_CORETYPE").env_remove("OPENBLAS_L2_SIZE");
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8(output.stdout)?)
    } else {
        Err(format!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)).into())
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match (values.get(middle.wrapping_sub(1)), values.get(middle)) {
        (Some(low), Some(high)) if values.len().is_multiple_of(2) => f64::midpoint(*low, *high),
        (_, Some(middle)) => *middle,
        _ => f64::NAN,
    }
}
