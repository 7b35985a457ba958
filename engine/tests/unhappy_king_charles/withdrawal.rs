//! Withdrawal of an attacked Army into its Fortress (10.1, EV8), by number.

use serde_json::json;

use crate::armies::moving;
use crate::play::P;

rules! {
    #[test]
    fn rule_ev8_an_army_that_fits_goes_inside_and_unled_brigades_after_it() {
        let stacks = "king-charles-i@york kings-lifeguard; lord-fairfax@hull cloth-towns-militias; @hull hothams";
        let more = json!({ "control": { "parliament": ["hull"] } });
        let mut table = moving("king-charles-i", 3, stacks, &more, "");
        table.act("move hull; stand; stand");
        assert_eq!((table.frame().as_str(), table.to_act(), table.offered()), ("withdrawal", P, vec!["withdraw".to_owned(), "stand".to_owned()]));
        table.act("withdraw");
        assert_eq!((table.whereabouts("lord-fairfax"), table.count("inside-hull"), table.count("unled-hull")), ("inside-hull".into(), 1, 0));
        assert!(!table.has_told("battle"), "nobody stays outside, so nothing is revealed");
        table.act("move scarborough");
        assert_eq!(table.spent(), 2, "no fee");

        let full = "king-charles-i@york kings-lifeguard; lord-fairfax@hull cloth-towns-militias; @hull hothams fairfaxs-horse; @inside-hull gells";
        let mut chosen = moving("king-charles-i", 3, full, &more, "");
        chosen.act("move hull; stand; stand; withdraw");
        assert_eq!(chosen.options("brigade"), ["fairfaxs-horse", "hothams"], "room for one of the two");
        chosen.act("brigade fairfaxs-horse");
        assert_eq!((chosen.frame().as_str(), chosen.brigades("unled-hull")), ("dispersal", vec!["hothams".to_owned()]), "who is outside fights");
        chosen.act("disperse");

        let large = stacks.replace("lord-fairfax@hull cloth-towns-militias", "lord-fairfax@scarborough cloth-towns-militias gells");
        let fields = json!({ "control": { "parliament": ["scarborough"] } });
        let mut no = moving("king-charles-i", 3, &large, &fields, "");
        no.act("move scarborough; stand");
        assert_eq!(no.frame(), "dispersal", "Scarborough has room for one");
        no.act("disperse");
    }
}
