/// A shuffle for Apache Spark whose reducers read map outputs by RDMA READ.
package io.verbena.spark;
