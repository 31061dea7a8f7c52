//! The ends against all orders, tried one by one.

use proptest::prelude::*;
use rankgate_metrics::Measure;

use super::*;

/// A short list with its labels.
#[derive(Debug, Clone)]
struct List {
    groups: Vec<Group>,
    returned: u32,
    needs: Vec<Met>,
    labelled: Vec<u32>,
    forbidden: Vec<u32>,
}

impl List {
    fn ends(&self) -> TieOrders {
        orders(
            &self.groups,
            &Labels {
                needs: &self.needs,
                labelled: &self.labelled,
                forbidden: Some(&self.forbidden),
                returned: self.returned,
            },
        )
    }

    /// The outcome when the hit at each rank goes to another.
    fn outcome(&self, to: &[u32]) -> Outcome {
        let moved = |ranks: &[u32]| -> Vec<u32> { ranks.iter().map(|rank| to[*rank as usize - 1]).collect() };
        let needs = self
            .needs
            .iter()
            .map(|need| NeedOutcome { grade: need.grade, rank: moved(&need.ranks).into_iter().min() });
        Outcome::new(needs.collect(), self.returned, moved(&self.labelled))
            .with_forbidden(moved(&self.forbidden).into_iter().min())
    }

    /// Every order of every group.
    fn all_orders(&self) -> Vec<Vec<u32>> {
        let mut orders = vec![(1..=self.returned).collect::<Vec<u32>>()];
        for Group { from, to } in &self.groups {
            let places = *from as usize - 1..*to as usize;
            let of_group = permutations((*from..=*to).collect());
            orders = orders
                .iter()
                .flat_map(|order| {
                    of_group.iter().map(|group| {
                        let mut order = order.clone();
                        order[places.clone()].copy_from_slice(group);
                        order
                    })
                })
                .collect();
        }
        orders
    }

    /// The least and greatest value that some order has, and what the ends say.
    fn compare(&self, measure: &str) -> [(f64, f64); 2] {
        let measure: Measure = measure.parse().expect(measure);
        let value = |outcome: &Outcome| measure.value(outcome).expect("it applies");
        let range = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
        };
        let TieOrders { best, worst } = self.ends();
        let tried = range(&mut self.all_orders().iter().map(|order| value(&self.outcome(order))));
        [tried, range(&mut [best, worst].iter().map(value))]
    }
}

fn permutations(items: Vec<u32>) -> Vec<Vec<u32>> {
    if items.len() < 2 {
        return vec![items];
    }
    let mut all = Vec::new();
    for index in 0..items.len() {
        let mut rest = items.clone();
        let first = rest.remove(index);
        all.extend(permutations(rest).into_iter().map(|mut tail| {
            tail.insert(0, first);
            tail
        }));
    }
    all
}

/// Measures of ranks: exact wherever grades are equal.
const OF_RANKS: [&str; 9] = [
    "hit_rate@1",
    "hit_rate@3",
    "recall@2",
    "recall@4",
    "all_needs@3",
    "mrr",
    "mrr@2",
    "judged@3",
    "forbidden@2",
];
/// Sums over places: bounded wherever grades are equal.
const OF_PLACES: [&str; 7] =
    ["ndcg@3", "ndcg(gain=linear)@10", "map", "map@3", "r_precision", "rbp", "rbp(p=0.5)"];
/// Counts of useful hits, and measures of some grades only.
const OTHERS: [&str; 5] = ["precision@3", "context_precision@2", "f1@3", "recall(rel=2)@2", "ndcg@2"];

/// Lists of up to six hits whose scores are few, and needs of these grades.
fn lists(grades: std::ops::RangeInclusive<u32>) -> impl Strategy<Value = List> {
    (1..=6_usize).prop_flat_map(move |length| {
        let grades = grades.clone();
        let ranks = move || prop::collection::btree_set(1..=u32::try_from(length).unwrap(), 0..=3);
        let needs = prop::collection::vec((grades, ranks()), 1..=4);
        let scores = prop::collection::vec(prop::option::weighted(0.95, 0..=1_u8), length);
        (scores, needs, ranks(), ranks()).prop_map(|(scores, needs, labelled, forbidden)| List {
            groups: groups(scores.iter().map(|score| score.map(f64::from))),
            returned: u32::try_from(scores.len()).unwrap(),
            labelled: needs
                .iter()
                .flat_map(|(_, ranks)| ranks)
                .copied()
                .chain(labelled)
                .collect::<std::collections::BTreeSet<_>>()
                .into_iter()
                .collect(),
            needs: needs
                .into_iter()
                .map(|(grade, ranks)| Met { grade, ranks: ranks.into_iter().collect() })
                .collect(),
            forbidden: forbidden.into_iter().collect(),
        })
    })
}

/// The same, where each hit meets one need at most.
fn plain(mut list: List) -> List {
    let mut taken = std::collections::BTreeSet::new();
    for need in &mut list.needs {
        need.ranks.retain(|rank| taken.insert(*rank));
    }
    list
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

fn same(list: &List, names: &[&str]) -> Result<(), TestCaseError> {
    for name in names {
        let [tried, said] = list.compare(name);
        prop_assert!(
            is_near(tried.0, said.0) && is_near(tried.1, said.1),
            "{}: {:?}, said {:?}",
            name,
            tried,
            said
        );
    }
    Ok(())
}

fn within(list: &List, names: &[&str]) -> Result<(), TestCaseError> {
    for name in names {
        let [tried, said] = list.compare(name);
        prop_assert!(
            said.0 <= tried.0 + 1e-9 && tried.1 <= said.1 + 1e-9,
            "{}: {:?}, said {:?}",
            name,
            tried,
            said
        );
    }
    Ok(())
}

proptest! {
    #[test]
    fn plain_labels_have_exact_ends(list in lists(1..=1).prop_map(plain)) {
        same(&list, &OF_RANKS)?;
        same(&list, &OF_PLACES)?;
        same(&list, &OTHERS)?;
    }

    #[test]
    fn one_hit_a_need_has_exact_ends_at_any_grade(list in lists(1..=4).prop_map(plain)) {
        let mut list = list;
        for need in &mut list.needs {
            need.ranks.truncate(1);
        }
        same(&list, &OF_RANKS)?;
        same(&list, &OF_PLACES)?;
        same(&list, &OTHERS)?;
    }

    #[test]
    fn graded_labels_are_bounded(list in lists(1..=4).prop_map(plain)) {
        within(&list, &OF_RANKS)?;
        within(&list, &OF_PLACES)?;
        within(&list, &OTHERS)?;
    }

    #[test]
    fn hits_for_several_needs_have_exact_ranks_and_bounded_sums(list in lists(1..=1)) {
        same(&list, &OF_RANKS)?;
        within(&list, &OF_PLACES)?;
    }

    #[test]
    fn today_lies_between_the_ends_of_what_ranks_say(list in lists(1..=4)) {
        within(&list, &["judged@2", "forbidden@3", "hit_rate@2", "mrr", "recall@3"])?;
    }
}

#[test]
fn groups_are_neighbours_of_one_finite_score() {
    let of = |scores: &[f64]| {
        groups(scores.iter().map(|s| Some(*s))).into_iter().map(|g| (g.from, g.to)).collect::<Vec<_>>()
    };
    assert_eq!(of(&[3.0, 2.0, 2.0, 2.0, 1.0, 0.0, -0.0]), [(2, 4), (6, 7)]);
    assert_eq!(of(&[2.0, 1.0, 2.0]), []);
    assert_eq!(of(&[f64::INFINITY, f64::INFINITY, f64::NAN, f64::NAN]), []);
    assert_eq!(groups([None, None].into_iter()), []);
}

#[test]
fn more_needs_than_subsets_are_tried_for() {
    // Twenty needs, one hit each, and a hit that meets two of them: bounded by what is counted.
    let needs: Vec<Met> = (1..=20)
        .map(|rank| Met { grade: 1, ranks: if rank == 20 { vec![19] } else { vec![rank] } })
        .collect();
    let list = List {
        groups: vec![Group { from: 1, to: 30 }],
        returned: 30,
        needs,
        labelled: Vec::new(),
        forbidden: Vec::new(),
    };
    let TieOrders { best, worst } = list.ends();
    let ranks = |outcome: &Outcome| {
        let mut ranks: Vec<u32> = outcome.needs().iter().filter_map(|need| need.rank).collect();
        ranks.sort_unstable();
        (ranks[0], ranks[19])
    };
    assert_eq!(ranks(&best), (1, 19));
    assert_eq!(ranks(&worst), (30, 30));
}
