//! `reticent evaluate frontier`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use reticent::evaluate::{frontier, read_points};
use serde_json::json;

use super::{draw, figure, in_file, line, print, text};
use crate::failure::{Failure, Outcome};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent evaluate frontier points.jsonl --plot frontier.svg
  reticent evaluate frontier points.jsonl --utility kept --attack at1 --json")]
pub(super) struct FrontierArgs {
    /// Points: JSONL with `series` (the method), `label` (its setting), `utility` and `attack`
    points: PathBuf,
    /// Field with the utility of a release; more is better
    #[arg(long, value_name = "NAME", help_heading = "Input", default_value = "utility")]
    utility: String,
    /// Field with the success rate of an attack; less is better
    #[arg(long, value_name = "NAME", help_heading = "Input", default_value = "attack")]
    attack: String,
    /// Draw all points to an SVG file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    plot: Option<PathBuf>,
    /// Title of the plot
    #[arg(long, value_name = "TEXT", help_heading = "Output", default_value = "Attack against utility")]
    title: String,
    /// Print JSON: a line for each point, with the methods that dominate it
    #[arg(long, help_heading = "Output")]
    json: bool,
}

pub(super) fn run(args: &FrontierArgs) -> Result<Outcome, Failure> {
    let mut points =
        read_points(&text(&args.points)?, (&args.utility, &args.attack)).map_err(in_file(&args.points))?;
    let plot = frontier(&mut points, &args.title);
    draw(&plot, args.plot.as_ref())?;
    let mut out = String::new();
    if args.json {
        for point in &points {
            out.push_str(&line([
                ("series", json!(point.series)),
                ("label", json!(point.label)),
                ("utility", figure(point.utility)),
                ("attack", figure(point.attack)),
                ("beaten_by", json!(point.beaten_by)),
            ]));
        }
        return print(&out);
    }
    let _ =
        writeln!(out, "{:<20} {:<12} {:>7} {:>7}  dominated by", "method", "setting", "utility", "attack");
    for point in &points {
        let by = if point.beaten_by.is_empty() { "–".to_owned() } else { point.beaten_by.join(", ") };
        let _ = writeln!(
            out,
            "{:<20} {:<12} {:>7.4} {:>7.4}  {by}",
            point.series, point.label, point.utility, point.attack
        );
    }
    print(&out)
}
