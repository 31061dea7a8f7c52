//! The shared test data: real collections, recorded values, odd files. They are not part of the repository.

use std::path::{Path, PathBuf};

/// The path of a shared file or folder, or `None` with a printed reason where there is no shared data: the test
/// then has nothing to check and returns. Under `CI` a missing file is a failure.
///
/// The data is looked for in `RANKGATE_SHARED`, else in the nearest `shared` beside or above the checkout.
///
/// # Panics
/// When the variable `CI` is set and the data is missing.
pub fn shared(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("RANKGATE_SHARED").map_or_else(above, PathBuf::from);
    let full = root.join(path);
    if full.exists() {
        return Some(full.canonicalize().unwrap_or(full));
    }
    assert!(
        std::env::var_os("CI").is_none(),
        "{} is missing, and in CI a test is not skipped: set RANKGATE_SHARED",
        full.display()
    );
    #[expect(clippy::print_stderr, reason = "a skipped test says why")]
    {
        eprintln!("skipped: {} is missing; set RANKGATE_SHARED to the shared test data", full.display());
    }
    None
}

/// The nearest folder `shared` that holds data; where there is none, the one beside the checkout.
fn above() -> PathBuf {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = crate_folder.ancestors().skip(3).map(|folder| folder.join("shared"));
    folders
        .find(|folder| folder.join("data").is_dir())
        .unwrap_or_else(|| crate_folder.join("../../../shared"))
}
