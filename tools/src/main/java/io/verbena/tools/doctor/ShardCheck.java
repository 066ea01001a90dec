package io.verbena.tools.doctor;

import io.verbena.tools.text.ProgramName;
import io.verbena.verbs.Context;
import io.verbena.verbs.RdmaException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Which process has which shards of the addresses that are in use: a shard is one of the sockets that programs of one
/// user share an address with.
///
/// - `shards`: the shards of an address with their processes, or throws when this user may not ask, or there is no
/// device
/// - `self`: this process, which has a shard only because it asks
record ShardCheck(Function<String, Map<Integer, Long>> shards, long self) implements Check {
    static ShardCheck here() {
        return new ShardCheck(
                address -> SoftDeviceCheck.ask(address, Context::shards),
                ProcessHandle.current().pid());
    }

    @Override
    public List<Finding> run(Machine machine) {
        List<Finding> findings = new ArrayList<>();
        for (String address : PortCheck.holders(machine).keySet()) {
            String text = PortCheck.isAll(address) ? "" : text(address);
            if (!text.isEmpty()) {
                findings.add(Finding.ok("shards " + address, text));
            }
        }
        return findings;
    }

    private String text(String address) {
        Map<Long, List<Integer>> byProcess = new TreeMap<>();
        try {
            shards.apply(address)
                    .forEach((shard, pid) -> byProcess
                            .computeIfAbsent(pid, _ -> new ArrayList<>())
                            .add(shard));
        } catch (RdmaException | IllegalStateException notOurs) {
            // The line about the port names who holds the address: another user, or the kernel. Or it is the address of
            // a multicast group, which has no device.
            return "";
        }
        byProcess.remove(self);
        return byProcess.entrySet().stream()
                .map(entry -> numbers(entry.getValue()) + " of " + process(entry.getKey()))
                .collect(Collectors.joining("; "));
    }

    private static String numbers(List<Integer> all) {
        return all.stream().sorted().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private static String process(long pid) {
        String name = ProgramName.of(pid);
        return (name.isEmpty() ? "" : name + ", ") + "process " + pid;
    }
}
