/// `verbena sequence`: a sequence diagram, as SVG, from the traces of two processes.
///
/// | class | its step |
/// |---|---|
/// | [io.verbena.tools.sequence.TraceFile] | reads what `--trace-file` wrote |
/// | [io.verbena.tools.sequence.Selection] | leaves out what the reader did not ask for |
/// | [io.verbena.tools.sequence.Matching] | finds what of one side is the cause of what of the other |
/// | [io.verbena.tools.sequence.Repetition] | makes one step of many equal ones in a row |
/// | [io.verbena.tools.sequence.Ordering] | puts both sides into one order, causes first |
/// | [io.verbena.tools.sequence.Folding] | shows the first and the last of many equal rounds |
/// | [io.verbena.tools.sequence.Layout] | gives each its place |
/// | [io.verbena.tools.sequence.SvgPicture] | draws it |
package io.verbena.tools.sequence;
