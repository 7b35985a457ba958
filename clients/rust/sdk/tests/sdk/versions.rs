//! All clients have one version, and each says with which API it goes.

use std::path::Path;

use edgehill_client::API;
use edgehill_client::v1::match_service_server::SERVICE_NAME;

fn file(path: &str) -> String {
    std::fs::read_to_string(Path::new("../../..").join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn clients_of_all_languages_have_one_version() {
    let version = env!("CARGO_PKG_VERSION");
    for (path, line) in [
        ("clients/python/pyproject.toml", format!("\nversion = \"{version}\"\n")),
        ("clients/python/server/pyproject.toml", format!("\nversion = \"{version}\"\n")),
        ("clients/typescript/package.json", format!("\n  \"version\": \"{version}\",\n")),
        ("clients/go/edgehill/doc.go", format!("\n\tVersion = \"{version}\"\n")),
        ("clients/java/pom.xml", format!("\n  <version>{version}</version>\n")),
    ] {
        assert!(file(path).contains(&line), "{path} has not {line:?}");
    }
}

#[test]
fn each_client_says_with_which_api_it_goes() {
    assert_eq!(SERVICE_NAME, format!("{API}.MatchService"));
    for (path, line) in [
        ("clients/python/src/edgehill/__init__.py", format!("\nAPI = \"{API}\"\n")),
        ("clients/go/edgehill/doc.go", format!("\n\tAPI = \"{API}\"\n")),
        ("clients/typescript/package.json", format!("\"api\": \"{API}\"")),
        ("clients/java/pom.xml", format!("<edgehill.api>{API}</edgehill.api>")),
    ] {
        assert!(file(path).contains(&line), "{path} has not {line:?}");
    }
    for language in ["go", "java", "python", "rust", "typescript"] {
        let page = format!("docs/sdk-{language}.md");
        assert!(file(&page).contains(&format!("It speaks the API `{API}`")), "{page}");
    }
}
