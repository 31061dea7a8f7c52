//! Random cases and random measures.

use proptest::prelude::*;
use rankgate_metrics::{CutoffRule, Definition, NeedOutcome, Outcome, definitions};

/// Grades as people give them, and now and then one that would overflow 2^grade.
fn grade() -> impl Strategy<Value = u32> {
    prop_oneof![
        12 => 1..=5_u32,
        1 => 1000..=1100_u32,
        1 => Just(u32::MAX),
    ]
}

/// Needs with ranks from 1 to 12, several on one rank, some never met.
pub fn needs() -> impl Strategy<Value = Vec<NeedOutcome>> {
    let need = (grade(), prop::option::weighted(0.8, 1..=12_u32))
        .prop_map(|(grade, rank)| NeedOutcome { grade, rank });
    prop::collection::vec(need, 0..9)
}

/// An answerable case.
pub fn outcome() -> impl Strategy<Value = Outcome> {
    (needs(), 0..=15_u32, prop::collection::vec(0..=15_u32, 0..5)).prop_map(|(needs, returned, more)| {
        let labelled = needs.iter().filter_map(|need| need.rank).chain(more).collect();
        Outcome::new(needs, returned, labelled)
    })
}

/// A case of any kind.
pub fn any_outcome() -> impl Strategy<Value = Outcome> {
    let watch = || prop::option::of(prop::option::of(0..=15_u32));
    (outcome(), watch(), watch()).prop_map(|(mut outcome, forbidden, confident)| {
        if let Some(rank) = forbidden {
            outcome = outcome.with_forbidden(rank);
        }
        if let Some(rank) = confident {
            outcome = outcome.unanswerable(rank);
        }
        outcome
    })
}

/// Any measure of the table, with random cut-off and parameters.
pub fn measure_text() -> BoxedStrategy<String> {
    measure_text_where(|_| true)
}

/// A measure whose definition is wanted.
pub fn measure_text_where(wanted: impl Fn(&Definition) -> bool) -> BoxedStrategy<String> {
    let wanted: Vec<&Definition> = definitions().iter().filter(|d| wanted(d)).collect();
    prop::sample::select(wanted).prop_flat_map(text_of).boxed()
}

fn text_of(definition: &'static Definition) -> impl Strategy<Value = String> {
    let cutoff = prop_oneof![4 => 1..=14_u32, 1 => any::<u32>().prop_map(|k| k.max(1))];
    let cutoff = match definition.cutoff {
        CutoffRule::Required => cutoff.prop_map(Some).boxed(),
        CutoffRule::Optional => prop::option::of(cutoff).boxed(),
        CutoffRule::None => Just(None).boxed(),
    };
    let parameters: Vec<_> = definition
        .parameters
        .iter()
        .map(|parameter| {
            (any::<bool>(), parameter_value(parameter.name))
                .prop_map(|(given, value)| (parameter.name, given, value))
        })
        .collect();
    (cutoff, parameters).prop_map(|(cutoff, parameters)| {
        // The bare name is in dispute for some; written-out parameters settle it.
        let all = cutoff.is_none() && !definition.disputes.is_empty();
        let given: Vec<String> = parameters
            .into_iter()
            .filter(|(_, given, _)| all || *given)
            .map(|(name, _, value)| format!("{name}={value}"))
            .collect();
        let parameters = if given.is_empty() { String::new() } else { format!("({})", given.join(", ")) };
        let cutoff = cutoff.map(|k| format!("@{k}")).unwrap_or_default();
        format!("{}{parameters}{cutoff}", definition.name)
    })
}

fn parameter_value(name: &str) -> BoxedStrategy<String> {
    match name {
        "rel" => prop_oneof![4 => 1..=6_u32, 1 => Just(1050), 1 => Just(u32::MAX)]
            .prop_map(|rel| rel.to_string())
            .boxed(),
        "p" => prop_oneof![
            (1..1000_u32).prop_map(|thousandths| format!("0.{thousandths:03}")),
            any::<f64>()
                .prop_map(|x| x.abs().fract())
                .prop_filter("open interval", |x| *x > 0.0)
                .prop_map(|x| format!("{x:e}")),
            Just("0.9999999999999999".to_owned()),
        ]
        .boxed(),
        "gain" => prop::sample::select(vec!["exponential", "exp", "linear"]).prop_map(str::to_owned).boxed(),
        _ => panic!("teach the strategies the parameter `{name}`"),
    }
}
