//! Calls a second over the wire, beside a service that only echoes messages of the same sizes.
//!
//! Seconds are noisy, so what counts are the ratios of one run: rounds of echo and of play take turns, each play is held
//! against the echoes right before and after it, and the median of these ratios is printed. 64 matches of English Civil War IIa are played at once over 4 connections; each call takes one action and is
//! answered with the legal actions of the next. Client and server share a process, which is a new one for each round.
//!
//! The echo is what `tonic` gives of itself. The matches are played over Edgehill's own connections at both ends
//! (`edgehill_transport::WriteCoalescer`); [`kind::Peer`] has the variations.
//!
//! Before that: what a call costs of the processor of a server in a process of its own, above an echo of the same sizes, what an order
//! line does where a side's orders are sent as one list, and what traces and metrics add (`only=watched`: that alone).
//!
//! `cargo bench -p edgehill-service --bench wire`, with a folder to measure in as argument if it should not be the system's one
//! for temporary files. For a profiler, `only=alone`, `only=unary/memory` and so on measure that once, and print it.

mod alone;
mod apart;
mod disk;
mod echo;
mod kind;
mod load;
#[path = "../../tests/shared/message.rs"]
#[allow(dead_code, reason = "tests use the rest")]
mod message;
mod orders;
mod play;
mod serve;
mod unary;
mod watched;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mimalloc::MiMalloc;

use edgehill_service::store::MemoryStore;

use apart::Apart;
use kind::{Kind, Peer};
use load::Line;

// As the server has it.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Rounds of each kind.
const ROUNDS: usize = 5;

fn main() {
    // Cargo gives `--bench`; anything else is the folder.
    let arguments = || std::env::args().skip(1);
    let only = arguments().find_map(|argument| argument.strip_prefix("only=").map(str::to_owned));
    let is_folder = |argument: &String| !argument.starts_with("--") && !argument.contains('=');
    let folder = arguments().find(is_folder);
    let folder = folder.map_or_else(tempfile::tempdir, tempfile::tempdir_in).expect("a folder to write in");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    if let Some(peer) = arguments().find_map(|argument| Peer::named(argument.strip_prefix("serve=")?)) {
        return runtime.block_on(apart::serve(peer, folder.as_ref()));
    }
    match only {
        None => {
            runtime.block_on(costs(folder.path()));
            runtime.block_on(watched::costs(folder.path()));
            all(folder.path());
            runtime.block_on(beside(folder.path()));
        }
        Some(only) if only == "watched" => runtime.block_on(watched::costs(folder.path())),
        Some(only) => match Kind::named(&only) {
            Some(kind) => println!("{:.0} calls a second", runtime.block_on(kind.here(folder.path()))),
            None => eprintln!("expected alone, or unary/ or Play/ and a peer such as memory, found {only}"),
        },
    }
}

/// Rounds of everything, each between two of the echo: its share is of their mean.
fn all(folder: &Path) {
    let [_, others @ ..] = Peer::ALL;
    print_row("", &Peer::ALL.map(Peer::name).map(str::to_owned), &others.map(Peer::name).map(str::to_owned));
    for (way, kind) in [("unary", Kind::Unary as fn(Peer) -> Kind), ("Play", Kind::Play)] {
        let mut echoes = vec![kind(Peer::Echo).apart(folder)];
        let (mut rates, mut shares) = (others.map(|_| Vec::new()), others.map(|_| Vec::new()));
        for round in 0..ROUNDS {
            for (index, &peer) in others.iter().enumerate() {
                // It takes long, and no bar is set for it.
                if peer == Peer::Kept && round > 0 {
                    continue;
                }
                let (before, rate) = (echoes[echoes.len() - 1], kind(peer).apart(folder));
                echoes.push(kind(Peer::Echo).apart(folder));
                rates[index].push(rate);
                shares[index].push(2.0 * rate / (before + echoes[echoes.len() - 1]));
            }
        }
        let rates: Vec<f64> = [echoes].into_iter().chain(rates).map(median).collect();
        let rates: Vec<String> = rates.iter().map(|rate| format!("{rate:.0}")).collect();
        print_row(way, &rates, &shares.map(|shares| format!("{:.0} %", 100.0 * median(shares))));
    }
}

/// Prints what a call costs of the processor of a server that is a process of its own, beside an echo of the same sizes; medians of rounds.
async fn costs(folder: &Path) {
    println!("us of the server's processor    echo    game   above it");
    for (name, echo, kind) in [
        ("a call, in memory", Kind::Unary(Peer::Echo), Kind::Unary(Peer::Memory)),
        ("a call, durable", Kind::Unary(Peer::Echo), Kind::Unary(Peer::Durable)),
        ("a message of PlaySeats, memory", Kind::Play(Peer::Echo), Kind::Play(Peer::Memory)),
        ("a message of PlaySeats, durable", Kind::Play(Peer::Echo), Kind::Play(Peer::Durable)),
    ] {
        let (mut echoes, mut games, mut above) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let inner = tempfile::tempdir_in(folder).expect("a folder to write in");
            let us = |cost: Duration| cost.as_secs_f64() * 1e6;
            let (echo, game) =
                (us(echo.cost(inner.path(), &[]).await), us(kind.cost(inner.path(), &[]).await));
            echoes.push(echo);
            games.push(game);
            above.push(game - echo);
        }
        println!("{name:<31}{:>5.1}{:>8.1}{:>11.1}", median(echoes), median(games), median(above));
    }
    for (name, peer) in [("memory", Peer::Memory), ("durable", Peer::Durable)] {
        let (mut calls, mut lines, mut per_call) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let inner = tempfile::tempdir_in(folder).expect("a folder to write in");
            let mut server = Apart::start(peer, inner.path(), &[]);
            orders::play(&server.address, Line::WriteCoalescer).await;
            let before = server.used();
            let sent = orders::play(&server.address, Line::WriteCoalescer).await;
            let used = (server.used() - before).as_secs_f64() * 1e6;
            calls.push(used / sent.calls as f64);
            lines.push(used / sent.lines as f64);
            per_call.push(sent.lines as f64 / sent.calls as f64);
        }
        println!(
            "a side's orders as one list, {name}: {:.1} us a call, {:.1} us an order line; {:.1} lines a call",
            median(calls),
            median(lines),
            median(per_call)
        );
    }
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Calls a second, then how many of the echo's the others are.
fn print_row(name: &str, rates: &[String], shares: &[String]) {
    let rates: String = rates.iter().map(|rate| format!("{rate:>9}")).collect();
    let shares: String = shares.iter().map(|share| format!("{share:>8}")).collect();
    println!("{name:<6}{rates}  {shares}");
}

/// Prints figures that help to understand the rest.
async fn beside(folder: &Path) {
    let sizes = unary::sizes(&serve::matches(Arc::new(MemoryStore::new())).await).await;
    println!("a call of {} bytes, an answer of {} on average", sizes.request, sizes.response);
    let (play, echo) = (Kind::Alone.apart(folder), alone::echo(sizes).await);
    println!("one caller without a connection, in memory: {play:.0} calls a second; {echo:.0} of the echo");
    let sync = disk::sync(folder);
    println!(
        "a sync of the disk takes {:.2} ms: {} calls in flight are at most {:.0} durable ones a second",
        sync.as_secs_f64() * 1e3,
        load::MATCHES,
        load::MATCHES as f64 / sync.as_secs_f64()
    );
}
