package dev.fairlead.adapter.zfs.store;

import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.Work;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A storage host with a pool in memory: takes a script apart as a shell does, and counts what comes. */
final class FakePool implements CommandRunner {
    private final FakeZfs zfs = new FakeZfs();
    private final List<List<String>> history = new ArrayList<>();
    private int roundTrips;

    FakePool(String... datasets) {
        for (String name : datasets) {
            zfs.put(name, "filesystem", Map.of());
        }
    }

    synchronized List<List<String>> history() {
        return List.copyOf(history);
    }

    synchronized int roundTrips() {
        return roundTrips;
    }

    synchronized Set<String> names() {
        return zfs.names();
    }

    synchronized Map<String, String> files(String dataset) {
        return zfs.files(dataset);
    }

    synchronized Map<String, String> own(String name) {
        return zfs.own(name);
    }

    synchronized void put(String name, String type, Map<String, String> own) {
        zfs.put(name, type, own);
    }

    @Override
    public Ended run(Command command, Work work) {
        List<Ended> answer = new ArrayList<>();
        work.effect(command.effect(), () -> answer.add(shell(command.argv())));
        return answer.getFirst();
    }

    private synchronized Ended shell(List<String> argv) {
        roundTrips++;
        if (!argv.subList(0, 2).equals(List.of("/bin/sh", "-c"))) {
            throw new AssertionError("not a script: " + argv);
        }
        var output = new StringBuilder();
        String remembered = "";
        for (ShellScript.Line line : ShellScript.lines(argv.get(2))) {
            String value = remembered;
            List<String> words = line.argv().stream()
                    .map(word -> word.equals("$v") ? value : word)
                    .toList();
            history.add(words);
            try {
                String said = zfs.run(new ArrayDeque<>(words));
                if (line.remembers()) {
                    remembered = said.stripTrailing();
                } else {
                    output.append(said);
                }
            } catch (FakeZfs.Refused e) {
                return Ended.with(line.exitCode(), output.toString(), e.getMessage() + "\n");
            }
        }
        return Ended.with(0, output.toString(), "");
    }

    @Override
    public void close() {}
}
