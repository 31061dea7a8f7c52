//! The shared test data: real collections, recorded values, odd files. They are not part of the repository.

use std::path::{Path, PathBuf};

/// The path of a shared file or folder, or `None` with a printed reason where there is no shared data: the test
/// then has nothing to check and returns. Under `CI` a missing file is a failure.
///
/// The data is looked for in `RANKGATE_SHARED`, else in `shared` beside the checkout.
///
/// # Panics
/// When the variable `CI` is set and the data is missing.
pub fn shared(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("RANKGATE_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
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
