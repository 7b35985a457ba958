//! `CatalogService`, asked over a connection.

use edgehill_engine::content::Confidence;
use edgehill_proto::v1::catalog_service_client::CatalogServiceClient;
use edgehill_proto::v1::catalog_service_server::CatalogServiceServer;
use edgehill_proto::v1::{self, GamePart};
use edgehill_service::api::catalog::Catalog;
use edgehill_service::limits::Limits;
use edgehill_service::wire::{pin, reference, status};
use tokio::sync::oneshot;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::Code;
use tonic::transport::{Channel, Endpoint, Server};

use crate::registry;

const ALL: [i32; 2] = [GamePart::Actions as i32, GamePart::Rules as i32];

fn request(game: &str, parts: &[i32]) -> v1::GetGameRequest {
    v1::GetGameRequest { game: game.to_owned(), parts: parts.to_vec(), ..v1::GetGameRequest::default() }
}

fn catalog() -> Catalog {
    Catalog::new(&registry(), &Limits::default())
}

/// Runs `asks` against a server on a free port of loopback.
async fn served<F: Future<Output = ()>>(asks: impl FnOnce(CatalogServiceClient<Channel>) -> F) {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    let (stop, stopped) = oneshot::channel::<()>();
    let server = Server::builder().add_service(CatalogServiceServer::new(catalog()));
    let running =
        tokio::spawn(server.serve_with_incoming_shutdown(TcpListenerStream::new(listener), async {
            let _ = stopped.await;
        }));
    let endpoint = Endpoint::from_shared(format!("http://127.0.0.1:{port}")).expect("an address");
    asks(CatalogServiceClient::new(endpoint.connect().await.expect("a server"))).await;
    stop.send(()).expect("it runs");
    running.await.expect("no panic").expect("a clean end");
}

#[tokio::test]
async fn every_game_is_listed_and_given_whole() {
    served(|mut client| async move {
        let listed = client.list_games(v1::ListGamesRequest {}).await.expect("an answer").into_inner().games;
        let registry = registry();
        let ids: Vec<&str> = listed.iter().map(|game| &*game.id).collect();
        assert_eq!(ids, registry.ids());
        for (summary, game) in listed.iter().zip(registry.games()) {
            let answer = client.get_game(request(&summary.id, &ALL)).await.expect("it fits into a message");
            let whole = answer.into_inner().game.expect("a game");
            assert_eq!(whole.summary.as_ref(), Some(summary));
            says_what_the_engine_says(&whole, &**game);
        }
        let limits = client.get_limits(v1::GetLimitsRequest {}).await.expect("an answer").into_inner();
        assert_eq!(limits.limits, Limits::default().all());
    })
    .await;
}

fn says_what_the_engine_says(whole: &v1::Game, game: &dyn edgehill_engine::registry::AnyGame) {
    let catalogue = game.catalogue();
    let summary = whole.summary.as_ref().expect("it is always there");
    assert_eq!((&*summary.title, &*summary.summary), (catalogue.title, catalogue.summary));
    assert_eq!(summary.rules, Some(pin::of(catalogue)));
    let seats = catalogue.scenarios.iter().map(|scenario| scenario.seats as u32);
    assert_eq!((Some(summary.seats_min), Some(summary.seats_max)), (seats.clone().min(), seats.max()));

    let table = whole.actions.as_ref().expect("it was asked for");
    assert_eq!((table.first_id, table.total as usize), (0, catalogue.actions.len()));
    assert_eq!(table.actions.len(), catalogue.actions.len());
    for (id, action) in catalogue.actions.ids().zip(&table.actions) {
        let verb = &table.verbs[action.verb as usize];
        let refs: Vec<_> =
            action.refs.iter().map(|what| reference::read(what).expect("it names something")).collect();
        assert_eq!(catalogue.actions.find(&verb.id, &refs), Some(id));
        assert_eq!(catalogue.actions.parse(&action.notation), Some(id));
        assert_eq!(verb.title, catalogue.actions.verb_of(id).expect("it is there").title);
    }

    assert_eq!(whole.rules.len(), catalogue.ledger.iter().count());
    for rule in &whole.rules {
        let entry = catalogue.ledger.get(&rule.id).expect("the ledger has it");
        assert_eq!(
            (&rule.title, &rule.text, rule.ground.len()),
            (&entry.title, &entry.text, entry.ground.len())
        );
        assert_ne!(rule.status(), v1::RuleStatus::Unspecified);
        assert_eq!(rule.reason, entry.reason.clone().unwrap_or_default());
    }

    for (index, space) in catalogue.spaces.iter().enumerate() {
        let said = &whole.spaces[index];
        let entry = said.entry.as_ref().expect("a space has a name");
        assert_eq!(
            (&entry.id, &entry.name, said.x, said.y),
            (&space.entry.id, &space.entry.name, space.x, space.y)
        );
        let links: Vec<(u16, &str)> = said.links.iter().map(|link| (link.to as u16, &*link.kind)).collect();
        assert_eq!(links, space.links);
    }
    let sizes = [
        (whole.spaces.len(), catalogue.spaces.len()),
        (whole.mats.len(), catalogue.mats.len()),
        (whole.tracks.len(), catalogue.tracks.len()),
        (whole.piles.len(), catalogue.piles.len()),
        (whole.kinds.len(), catalogue.kinds.len()),
        (whole.pieces.len(), catalogue.pieces.len()),
        (whole.cards.len(), catalogue.cards.len()),
        (whole.markers.len(), catalogue.markers.len()),
        (whole.arrows.len(), catalogue.arrows.len()),
        (whole.flags.len(), catalogue.flags.len()),
        (whole.seats.len(), catalogue.seats.len()),
        (whole.scenarios.len(), catalogue.scenarios.len()),
        (whole.options.len(), catalogue.options.len()),
        (whole.phase_ends.len(), catalogue.phase_ends.len()),
        (whole.house_bots.len(), game.bots().len()),
    ];
    assert!(sizes.iter().all(|(said, held)| said == held), "{sizes:?}");
    assert!(whole.house_bots.iter().any(|bot| bot.name == "random"));

    for (code, template) in &catalogue.phrases {
        assert!(whole.phrases.iter().any(|phrase| phrase.code == *code && phrase.template == *template));
    }
    for code in ["prompt", "undo", "committed", "draw_offered", "resigned", "agreed"] {
        assert_eq!(
            whole.phrases.iter().filter(|phrase| phrase.code == code).count(),
            1,
            "the driver says {code}"
        );
    }
}

#[test]
fn what_is_reconstructed_can_be_seen() {
    let mut reconstructed = 0;
    for game in registry().games() {
        let whole = catalog().game(&request(game.catalogue().id, &[])).expect("it is there");
        let catalogue = game.catalogue();
        let badges = catalogue.spaces.iter().map(|space| space.entry.confidence);
        let badges = badges.chain(catalogue.pieces.iter().chain(&catalogue.cards).map(|entry| entry.confidence));
        let said = whole.spaces.iter().map(|space| space.entry.as_ref().expect("a space has a name").badge());
        let said = said.chain(whole.pieces.iter().chain(&whole.cards).map(v1::Entry::badge));
        for (badge, said) in badges.zip(said) {
            let name = badge.as_str().to_uppercase().replace('-', "_");
            assert_eq!(said.as_str_name(), format!("CONFIDENCE_{name}"));
            reconstructed += usize::from(badge == Confidence::Reconstructed);
        }
    }
    assert!(reconstructed > 0, "some printed values were not at hand, and it is said which");
}

#[test]
fn cards_say_what_they_do() {
    let mut told = 0;
    for game in registry().games() {
        let whole = catalog().game(&request(game.catalogue().id, &[])).expect("it is there");
        for (said, card) in whole.cards.iter().zip(&game.catalogue().cards) {
            assert_eq!((&said.id, &said.rules_text), (&card.id, &card.rules_text));
            told += card.rules_text.len();
        }
    }
    assert!(told > 200, "{told} lines of all cards");
}

#[test]
fn options_say_what_they_accept() {
    let war = catalog().game(&request("english-civil-war-iia", &[])).expect("it is there");
    let [seasons, cut_all] = &war.options[..] else { panic!("{:?}", war.options) };
    let Some(v1::option_def::Accepts::Number(v1::NumberOption { min, max })) = seasons.accepts else {
        panic!("{seasons:?}")
    };
    let default: i32 = seasons.default_value.parse().expect("a number");
    assert!(min < max && (min..=max).contains(&default));
    assert_eq!(cut_all.accepts, Some(v1::option_def::Accepts::Flag(v1::FlagOption {})));
    assert_eq!(cut_all.default_value, "false");
}

#[test]
fn parts_are_left_out_unless_they_are_asked_for() {
    let catalog = catalog();
    let of = |parts: &[GamePart]| {
        let parts: Vec<i32> = parts.iter().map(|&part| part.into()).collect();
        let game = catalog.game(&request("skirmish", &parts)).expect("it is there");
        (game.actions.is_some(), !game.rules.is_empty())
    };
    assert_eq!(of(&[]), (false, false));
    assert_eq!(of(&[GamePart::Actions]), (true, false));
    assert_eq!(of(&[GamePart::Rules, GamePart::Rules]), (false, true));
    assert_eq!(of(&[GamePart::Rules, GamePart::Actions]), (true, true));
}

#[test]
fn pages_of_the_action_table_make_the_whole() {
    let catalog = catalog();
    let get = |first_action, max_actions| {
        let request = v1::GetGameRequest { first_action, max_actions, ..request("skirmish", &ALL[..1]) };
        catalog.game(&request).expect("a page").actions.expect("it was asked for")
    };
    let whole = get(0, 0);
    let mut actions = Vec::new();
    loop {
        let page = get(actions.len() as u32, 10);
        assert_eq!((page.first_id, page.total), (actions.len() as u32, whole.total));
        assert_eq!(page.verbs, whole.verbs, "a page can be read by itself");
        assert!(page.actions.len() <= 10);
        if page.actions.is_empty() {
            break;
        }
        actions.extend(page.actions);
    }
    assert_eq!(actions, whole.actions);
    assert_eq!(get(0, u32::MAX), whole);
}

#[tokio::test]
async fn what_is_not_there_is_refused() {
    served(|mut client| async move {
        let total = registry().game("skirmish").expect("it is there").catalogue().actions.len() as u32;
        let page =
            |first_action, parts: &[i32]| v1::GetGameRequest { first_action, ..request("skirmish", parts) };
        for (asked, code, reason, field) in [
            (request("chess", &[]), Code::NotFound, "UNKNOWN_GAME", None),
            (request("", &ALL), Code::NotFound, "UNKNOWN_GAME", None),
            (request("skirmish", &[1, 0]), Code::InvalidArgument, "INVALID_FIELD", Some("parts[1]")),
            (request("skirmish", &[99]), Code::InvalidArgument, "INVALID_FIELD", Some("parts[0]")),
            (page(total + 1, &ALL), Code::InvalidArgument, "INVALID_FIELD", Some("first_action")),
            (page(u32::MAX, &ALL), Code::InvalidArgument, "INVALID_FIELD", Some("first_action")),
            (page(1, &[]), Code::InvalidArgument, "INVALID_FIELD", Some("first_action")),
        ] {
            let refused = client.get_game(asked).await.expect_err("it is refused");
            assert_eq!(refused.code(), code);
            let refusal = status::read(&refused).expect("the refusal comes along");
            assert_eq!(refusal.reason().as_str_name().trim_start_matches("ERROR_REASON_"), reason);
            assert_eq!(refusal.field_violations.first().map(|one| &*one.field), field);
        }
        let refused = client.get_game(request("chess", &[])).await.expect_err("it is refused");
        assert!(
            refused.message().contains("skirmish"),
            "it lists those that there are: {}",
            refused.message()
        );
    })
    .await;
}
