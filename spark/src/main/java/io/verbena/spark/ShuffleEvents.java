package io.verbena.spark;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// The events of the shuffle for the JDK's flight recorder. They cost next to nothing while no recording wants them.
final class ShuffleEvents {
    private ShuffleEvents() {}

    /// A map output that others may read from now on, or not.
    @Name("verbena.spark.Commit")
    @Label("Map Output Committed")
    @Category({"Verbena", "Spark"})
    @StackTrace(false)
    static final class Commit extends Event {
        @Label("Shuffle")
        int shuffle;

        @Label("Map")
        long map;

        @Label("Bytes")
        @DataAmount
        long bytes;

        @Label("Problem")
        @Description("Why others fetch it in Spark's own way; null when they read it by RDMA")
        String problem;

        void end(MapOutputs.Id id, long length, String reason) {
            end();
            if (shouldCommit()) {
                shuffle = id.shuffle();
                map = id.map();
                bytes = length;
                problem = reason;
                commit();
            }
        }
    }

    /// Blocks that a task asked an executor for, from the request to the last of them.
    @Name("verbena.spark.Fetch")
    @Label("Blocks Fetched")
    @Category({"Verbena", "Spark"})
    @StackTrace(false)
    static final class Fetch extends Event {
        @Label("Executor")
        String executor;

        @Label("Blocks")
        @Description("How many were asked for")
        int blocks;

        @Label("Bytes by RDMA READ")
        @DataAmount
        long bytes;

        void end(String from, int count, long read) {
            end();
            if (shouldCommit()) {
                executor = from;
                blocks = count;
                bytes = read;
                commit();
            }
        }
    }

    /// Blocks that are fetched in Spark's own way.
    @Name("verbena.spark.Fallback")
    @Label("Blocks in Spark's Own Way")
    @Category({"Verbena", "Spark"})
    @StackTrace(false)
    static final class Fallback extends Event {
        @Label("Executor")
        String executor;

        @Label("Blocks")
        int blocks;

        @Label("Reason")
        String reason;
    }

    static void fallback(String executor, int blocks, String reason) {
        Fallback event = new Fallback();
        if (event.shouldCommit()) {
            event.executor = executor;
            event.blocks = blocks;
            event.reason = reason;
            event.commit();
        }
    }
}
