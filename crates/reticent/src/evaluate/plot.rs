//! Plots as SVG: lines and points over two axes, with ticks and a legend.
//!
//! Written here and not by a plotting crate: those bring fonts and raster images, and this is a few lines.

use std::fmt::Write as _;

const WIDTH: f64 = 820.0;
const HEIGHT: f64 = 500.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 230.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 56.0;

/// Colours that colour-blind people tell apart (Okabe and Ito).
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];
const DASHES: [&str; 4] = ["none", "7 4", "2 3", "9 3 2 3"];

/// Some points with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    name: String,
    points: Vec<(f64, f64)>,
    labels: Vec<String>,
    line: bool,
    marks: bool,
}

impl Series {
    /// A line through the points.
    pub fn line(name: &str, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), points, labels: Vec::new(), line: true, marks: false }
    }

    /// Points alone.
    pub fn points(name: &str, points: Vec<(f64, f64)>) -> Self {
        Self { marks: true, line: false, ..Self::line(name, points) }
    }

    /// Points with a line through them, each with a label.
    pub fn labelled(name: &str, points: Vec<(f64, f64)>, labels: Vec<String>) -> Self {
        Self { marks: true, labels, ..Self::line(name, points) }
    }
}

/// A plot.
///
/// ```
/// use reticent::evaluate::{Plot, Series};
/// let mut plot = Plot::new("Attack", "utility", "re-identified");
/// plot.series.push(Series::points("ours", vec![(0.4, 0.3)]));
/// assert!(plot.svg().starts_with("<svg"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// The title.
    pub title: String,
    /// The label of the horizontal axis.
    pub x_label: String,
    /// The label of the vertical axis.
    pub y_label: String,
    /// The range of the vertical axis; derived from the points by default.
    pub y_range: Option<(f64, f64)>,
    /// The series, each in its own colour.
    pub series: Vec<Series>,
}

impl Plot {
    /// Creates an empty plot.
    pub fn new(title: &str, x_label: &str, y_label: &str) -> Self {
        Self {
            title: title.to_owned(),
            x_label: x_label.to_owned(),
            y_label: y_label.to_owned(),
            y_range: None,
            series: Vec::new(),
        }
    }

    /// Renders an SVG document. Points that are not numbers are left out.
    pub fn svg(&self) -> String {
        let finite = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
            points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite()).collect()
        };
        let all: Vec<(f64, f64)> = self.series.iter().flat_map(|one| finite(&one.points)).collect();
        let x = Axis::new(all.iter().map(|(x, _)| *x), None, (LEFT, WIDTH - RIGHT));
        let y = Axis::new(all.iter().map(|(_, y)| *y), self.y_range, (HEIGHT - BOTTOM, TOP));
        let mut out = String::new();
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             font-family=\"system-ui, sans-serif\" font-size=\"13\" role=\"img\">\n\
             <title>{0}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
             <text x=\"{LEFT}\" y=\"26\" font-size=\"16\" font-weight=\"600\" fill=\"#111111\">{0}</text>",
            escape(&self.title)
        );
        self.axes(&x, &y, &mut out);
        for (number, series) in self.series.iter().enumerate() {
            draw(number, series, &x, &y, &mut out);
        }
        out.push_str("</svg>\n");
        out
    }

    fn axes(&self, x: &Axis, y: &Axis, out: &mut String) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        out.push_str("<g stroke=\"#dddddd\" stroke-width=\"1\">\n");
        for tick in x.ticks() {
            let at = x.at(tick);
            let _ = writeln!(out, "<line x1=\"{at:.1}\" y1=\"{TOP}\" x2=\"{at:.1}\" y2=\"{bottom}\"/>");
        }
        for tick in y.ticks() {
            let at = y.at(tick);
            let _ = writeln!(out, "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\"/>");
        }
        let _ = writeln!(
            out,
            "</g>\n<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"#444444\" stroke-width=\"1.5\"/>\n<g fill=\"#333333\">"
        );
        for tick in x.ticks() {
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                x.at(tick),
                bottom + 18.0,
                number(tick)
            );
        }
        for tick in y.ticks() {
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 8.0,
                y.at(tick) + 4.5,
                number(tick)
            );
        }
        let (middle, centre) = (f64::midpoint(LEFT, right), f64::midpoint(TOP, bottom));
        let _ = writeln!(
            out,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text x=\"20\" y=\"{centre}\" text-anchor=\"middle\" transform=\"rotate(-90 20 {centre})\">{}</text>\n</g>",
            HEIGHT - 14.0,
            escape(&self.x_label),
            escape(&self.y_label)
        );
    }
}

/// One series, and its line of the legend.
fn draw(number: usize, series: &Series, x: &Axis, y: &Axis, out: &mut String) {
    let colour = COLOURS[number % COLOURS.len()];
    // Where colours come again, dashes and hollow marks tell their lines apart.
    let round = number / COLOURS.len();
    let dash = DASHES[if series.marks { round } else { number } % DASHES.len()];
    let mark = if round.is_multiple_of(2) {
        format!("fill=\"{colour}\"")
    } else {
        format!("fill=\"#ffffff\" stroke=\"{colour}\" stroke-width=\"2\"")
    };
    let stroke = format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"");
    let places: Vec<(f64, f64)> = series.points.iter().map(|(at, high)| (x.at(*at), y.at(*high))).collect();
    let is_drawn = |(left, top): &(f64, f64)| left.is_finite() && top.is_finite();
    if series.line {
        let path: Vec<String> = places
            .iter()
            .filter(|place| is_drawn(place))
            .map(|(left, top)| format!("{left:.1},{top:.1}"))
            .collect();
        let _ = writeln!(out, "<polyline points=\"{}\" {stroke}/>", path.join(" "));
    }
    if series.marks {
        for (at, (left, top)) in places.iter().enumerate().filter(|(_, place)| is_drawn(place)) {
            let _ = writeln!(out, "<circle cx=\"{left:.1}\" cy=\"{top:.1}\" r=\"4.5\" {mark}/>");
            if let Some(label) = series.labels.get(at).filter(|label| !label.is_empty()) {
                let _ = writeln!(
                    out,
                    "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\" fill=\"{colour}\">{}</text>",
                    left + 7.0,
                    if number.is_multiple_of(2) { top - 6.0 } else { top + 14.0 },
                    escape(label)
                );
            }
        }
    }
    let (left, top) = (WIDTH - RIGHT + 16.0, TOP + 10.0 + 22.0 * number as f64);
    if series.line {
        let _ = writeln!(out, "<path d=\"M{left} {top}h26\" {stroke}/>");
    }
    if series.marks {
        let _ = writeln!(out, "<circle cx=\"{}\" cy=\"{top}\" r=\"4.5\" {mark}/>", left + 13.0);
    }
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" fill=\"#111111\">{}</text>",
        left + 33.0,
        top + 4.5,
        escape(&series.name)
    );
}

/// From numbers to places.
struct Axis {
    from: f64,
    to: f64,
    step: f64,
    place: (f64, f64),
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>, range: Option<(f64, f64)>, place: (f64, f64)) -> Self {
        let (low, high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = range.unwrap_or(if low > high { (0.0, 1.0) } else { (low, high) });
        // A single value needs room on both sides.
        let (low, high) = if high - low > 0.0 { (low, high) } else { (low - 0.5, high + 0.5) };
        let step = nice(high - low);
        let (from, to) = ((low / step + 1e-9).floor() * step, (high / step - 1e-9).ceil() * step);
        Self { from, to, step, place }
    }

    fn at(&self, value: f64) -> f64 {
        self.place.0 + (value - self.from) / (self.to - self.from) * (self.place.1 - self.place.0)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> + '_ {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let last = ((self.to - self.from) / self.step).round().clamp(0.0, 100.0) as u32;
        (0..=last).map(|at| self.from + f64::from(at) * self.step)
    }
}

/// A step of 1, 2 or 5 times a power of ten, for about ten ticks.
fn nice(range: f64) -> f64 {
    let rough = range / 10.0;
    let power = 10f64.powf(rough.log10().floor());
    let times = [1.0, 2.0, 5.0].into_iter().find(|times| rough <= times * power * 1.000_001).unwrap_or(10.0);
    times * power
}

fn number(value: f64) -> String {
    // Minus zero, and what is left of a tenth ten times.
    let value = (value * 1e9).round() / 1e9 + 0.0;
    value.to_string()
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML has no place for control characters.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
#[allow(clippy::float_cmp)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn no_two_of_many_lines_look_the_same() {
        let mut plot = Plot::new("Loss", "k", "NCP");
        for number in 0..20 {
            let name = number.to_string();
            plot.series.push(Series::labelled(&name, vec![(1.0, 0.1), (2.0, 0.2)], Vec::new()));
        }
        let svg = plot.svg();
        let looks = |line: &str| line.split_once("fill=").map(|(_, looks)| looks.to_owned());
        let lines: Vec<String> =
            svg.lines().filter(|line| line.starts_with("<polyline")).filter_map(looks).collect();
        let different: std::collections::BTreeSet<&String> = lines.iter().collect();
        assert_eq!((lines.len(), different.len()), (20, 20));
    }

    #[test]
    fn draws_lines_points_and_a_legend() {
        let mut plot = Plot::new("a < b", "x", "y");
        plot.series.push(Series::line("precision", vec![(0.0, 0.2), (1.0, 0.8)]));
        plot.series.push(Series::labelled("ours & theirs", vec![(0.5, 0.5)], vec!["t=0.3".into()]));
        let svg = plot.svg();
        for part in ["a &lt; b", "<polyline", "<circle", "ours &amp; theirs", "t=0.3", ">0.2<", ">0.8<"] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
    }

    #[test]
    fn leaves_out_what_cannot_be_drawn() {
        let mut plot = Plot::new("", "", "");
        plot.series.push(Series::points("p", vec![(f64::NAN, 1.0), (1.0, f64::INFINITY)]));
        let svg = plot.svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert_eq!(svg.matches("<circle").count(), 1, "only the legend's");
    }

    #[test]
    fn ticks_are_round_numbers() {
        let ticks = |low: f64, high: f64| {
            Axis::new([low, high].into_iter(), None, (0.0, 1.0)).ticks().map(number).collect::<Vec<_>>()
        };
        assert_eq!(ticks(0.0, 1.0).join(" "), "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1");
        assert_eq!(ticks(-0.13, 0.22).join(" "), "-0.15 -0.1 -0.05 0 0.05 0.1 0.15 0.2 0.25");
        assert_eq!(ticks(3.0, 3.0).first().map(String::as_str), Some("2.5"));
    }

    proptest! {
        #[test]
        fn any_points_are_drawn(points in prop::collection::vec((any::<f64>(), any::<f64>()), 0..5), name in "\\PC{0,9}") {
            let mut plot = Plot::new(&name, &name, &name);
            plot.series.push(Series::line(&name, points));
            let svg = plot.svg();
            prop_assert!(svg.len() < 1 << 16 && svg.ends_with("</svg>\n"));
        }
    }
}
