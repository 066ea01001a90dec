/// Spark jobs that show the shuffle by RDMA beside Spark's own, on this host.
package io.verbena.spark.jobs;
