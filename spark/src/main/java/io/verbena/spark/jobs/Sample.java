package io.verbena.spark.jobs;

/// What a job did once, by one way.
record Sample(Way way, Result result) {}
