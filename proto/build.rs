//! Compiles `edgehill/v1/*.proto` into messages, client and server, without a `protoc`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use prost::Message;

const PACKAGE: &str = "edgehill/v1";

fn main() -> Result<(), Box<dyn Error>> {
    // The descriptors are compiled here and not by prost-build, which therefore knows of no file to watch.
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={PACKAGE}");

    let descriptors = protox::compile(proto_files()?, ["."])?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("edgehill.binpb"), descriptors.encode_to_vec())?;

    let mut messages = prost_build::Config::new();
    messages
        // Refusals go into a status as `Any`, which needs their names.
        .enable_type_names()
        // Rare and large among small ones that come in great numbers.
        .boxed(".edgehill.v1.Change.entry.turn_state")
        .boxed(".edgehill.v1.PlaySeatsResponse.message.opened");
    tonic_prost_build::configure().build_transport(false).compile_fds_with_config(descriptors, messages)?;
    Ok(())
}

/// All files of the package, in one order on all machines.
fn proto_files() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let files = fs::read_dir(PACKAGE)?.map(|entry| entry.map(|entry| entry.path()));
    let mut files = files.collect::<Result<Vec<_>, _>>()?;
    files.retain(|file| file.extension() == Some(Path::new("proto").as_os_str()));
    files.sort();
    Ok(files)
}
