//! A smaller wheel: where Rust brings its linker along, equal functions are kept once, and functions that look alike lie side by
//! side, so that the compressor of the wheel sees both. Elsewhere the linker does its usual work, and the wheel is larger.

use std::env;
use std::path::PathBuf;
use std::process::Command;

const ARGUMENTS: [&str; 4] = ["-fuse-ld=lld", "-Wl,--icf=all", "-Wl,--bp-compression-sort=both", "-Wl,-O2"];

/// The folder of Rust's own linker, if that linker knows all [`ARGUMENTS`].
fn linker(host: &str) -> Option<PathBuf> {
    let asked = Command::new(env::var_os("RUSTC")?).args(["--print", "sysroot"]).output().ok()?;
    let tools = PathBuf::from(String::from_utf8(asked.stdout).ok()?.trim())
        .join("lib/rustlib")
        .join(host)
        .join("bin");
    let help = Command::new(tools.join("rust-lld")).args(["-flavor", "gnu", "--help"]).output().ok()?;
    let known = String::from_utf8_lossy(&help.stdout).contains("--bp-compression-sort");
    Some(tools.join("gcc-ld")).filter(|folder| known && folder.is_dir())
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    let linux = "x86_64-unknown-linux-gnu";
    if !(is("PROFILE", "release") && is("HOST", linux) && is("TARGET", linux)) {
        return;
    }
    if let Some(folder) = linker(linux) {
        println!("cargo:rustc-cdylib-link-arg=-B{}", folder.display());
        for argument in ARGUMENTS {
            println!("cargo:rustc-cdylib-link-arg={argument}");
        }
    }
}
