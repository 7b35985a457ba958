//! The code of docs/sdk-rust.md and docs/quickstarts.md: each block stands here, or in an example, and is compiled.

#![allow(dead_code, reason = "the code of the pages needs a server, and keys of it")]

use std::fs;
use std::path::Path;

use edgehill_client::bot::{RandomBot, run_bot};
use edgehill_client::v1::AccountRole;
use edgehill_client::{Client, JoinRequest, NewMatch, entropy, seat_config};
use edgehill_client::{Error, NewKey, Replacement};

async fn play() -> Result<(), Error> {
    let client = Client::connect("http://127.0.0.1:7400").await?;
    let game = client.catalog().game("skirmish").await?;
    let seats = [seat_config::open(), seat_config::house_bot("random")];
    let created = client.matches().create(NewMatch::of("skirmish").seats(seats)).await?;
    let join = JoinRequest::of(created.match_id()).seat(0).entropy(entropy::fresh()?);
    let joined = client.matches().join(join).await?;
    let report = run_bot(&client, joined.handle.token(), RandomBot::new(&game, 0, 1642)).await?;
    drop(report);
    Ok(())
}

async fn look_after(client: &Client) -> Result<(), Error> {
    let ada = client.admin().create_account("ada", &[AccountRole::Player]).await?;
    let made =
        client.admin().create_key(&ada.id, NewKey { label: "laptop".into(), ..NewKey::default() }).await?;
    println!("{}", made.key); // told this once
    Ok(())
}

async fn referee(client: &Client, match_id: &str) -> Result<(), Error> {
    let replacement = Replacement { seat: 1, reason: "ill".into(), ..Replacement::default() };
    let replaced = client.referee().replace_player(match_id, replacement).await?;
    println!("{:?}", replaced.invitation); // for the new player: `replaced.join_request()`
    Ok(())
}

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("a file of the checkout")
}

/// Code without what the formatter decides: blanks and ends of lines.
fn squeezed(code: &str) -> String {
    code.split_whitespace().collect()
}

fn blocks_of(page: &str) -> Vec<String> {
    let page = read(page);
    let blocks = page.split("```rust").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.filter_map(|block| block.split_once('\n')).map(|(_, code)| code.to_owned()).collect()
}

#[test]
fn the_code_of_the_manual_is_compiled() {
    let (here, blocks) = (squeezed(&read("tests/sdk/manual.rs")), blocks_of("../../../docs/sdk-rust.md"));
    assert_eq!(blocks.len(), 3);
    for block in blocks {
        let code: String = block.lines().filter(|line| !line.starts_with("use ")).collect();
        assert!(here.contains(&squeezed(&code)), "{block}");
        for line in block.lines().filter(|line| line.starts_with("use ")) {
            assert!(here.contains(&squeezed(line)), "{line}");
        }
    }
}

#[test]
fn the_quickstart_is_an_example() {
    let [block] = &blocks_of("../../../docs/quickstarts.md")[..] else { panic!("one block") };
    assert!(block.lines().count() < 20);
    let example = read("examples/quickstart.rs");
    assert!(example.ends_with(&format!("\n\n{block}")), "{block}");
}
