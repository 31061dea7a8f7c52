//! No input panics.

use proptest::prelude::*;

use super::*;

/// Text that comes near to meaning something.
fn fragment() -> impl Strategy<Value = String> {
    let words = "golden retriever kind rules columns chunker = . [ ] { } [[ ]] \" ' , -1 1e400 nan true ${ $${ ${X} # é 0x \u{202e}";
    let words: Vec<_> = words.split(' ').chain(["\n", " ", "1979-05-27"]).collect();
    prop::collection::vec(prop::sample::select(words), 0..8).prop_map(|words| words.concat())
}

proptest! {
    #[test]
    fn text_of_a_file(at in 0.0..1.0_f64, length in 0..20_usize, fragment in fragment()) {
        let text = super::defaults_file::uncommented();
        let chars: Vec<char> = text.chars().collect();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a small length")]
        let at = (at * chars.len() as f64) as usize;
        let head: String = chars.iter().take(at).collect();
        let tail: String = chars.iter().skip(at + length).collect();
        // An error is as good as a result.
        let _ = with(&format!("{head}{fragment}{tail}"), &env(&[("X", "x")])).map_err(|error| error.to_string());
    }

    #[test]
    fn text_of_layers(key in fragment(), value in fragment()) {
        let mut inputs = sets(&[&format!("{key}={value}"), &format!("gate.rules={value}"), &value]);
        inputs.env.push((format!("RANKGATE_RETRIEVER__{key}"), value.clone()));
        inputs.flags.push(Flag::add("--gate", "gate.rules", value));
        let _ = with(MINIMAL, &inputs).map_err(|error| error.to_string());
    }
}
