package io.verbena.tools.top;

import java.util.function.Function;

/// A column of a table of text.
///
/// @param isNumber whether it is aligned to the right
record Field<R>(String heading, int width, boolean isNumber, Function<R, String> text) {}
