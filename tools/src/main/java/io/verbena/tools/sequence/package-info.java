/// `verbena sequence`: a sequence diagram, as SVG, from the traces of two processes.
///
/// | class | its step |
/// |---|---|
/// | [io.verbena.tools.sequence.TraceFile] | reads a file of `--trace-file` |
/// | [io.verbena.tools.sequence.Selection] | removes steps that the reader did not ask for |
/// | [io.verbena.tools.sequence.MessageMatcher] | matches the steps of one side with their causes on the other |
/// | [io.verbena.tools.sequence.StepJoiner] | joins equal steps in a row into one |
/// | [io.verbena.tools.sequence.StepMerger] | merges both sides into one order, causes first |
/// | [io.verbena.tools.sequence.RoundFolder] | shows the first and the last of many equal rounds |
/// | [io.verbena.tools.sequence.Layout] | computes the positions |
/// | [io.verbena.tools.sequence.SvgPicture] | draws them |
package io.verbena.tools.sequence;
