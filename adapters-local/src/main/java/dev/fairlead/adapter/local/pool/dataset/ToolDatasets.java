package dev.fairlead.adapter.local.pool.dataset;

import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.WorkFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Works on the datasets of this machine by the program {@code zfs}. Each run of it has a deadline, since a suspended
 * pool never answers.
 */
public final class ToolDatasets implements Datasets {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The most that is read of a list, which has some hundred bytes for each dataset. */
    private static final int MOST = 64 << 20;

    private static final String ABSENT = "does not exist";
    private static final int ABSENT_PROGRAM = 127;

    /** The words for a start that failed for another reason than that there is no such file, ENOENT. */
    private static final Pattern UNSTARTED = Pattern.compile("error=(?!2\\b)[0-9]+");

    private static final Pattern GUID = Pattern.compile("[1-9][0-9]{0,19}");

    private static final String LOST = "could not find any snapshots";

    /** The property of a dataset that says whose it is. */
    private static final String OWNER = "dev.fairlead:owner";

    private static final List<String> COLUMNS =
            List.of("name", "refquota", "referenced", "used", "available", "readonly", "mounted", OWNER);

    private final CommandRunner programs;
    private final WorkFactory works;
    private final Path mounts;

    /** @param mounts the mounts of this process, as in {@code /proc/self/mountinfo} */
    public ToolDatasets(CommandRunner programs, WorkFactory works, Path mounts) {
        this.programs = programs;
        this.works = works;
        this.mounts = mounts;
    }

    @Override
    public Optional<String> of(Path folder) throws IOException {
        return MountedDataset.of(folder, mounts);
    }

    @Override
    public Optional<String> guid(String dataset) throws IOException {
        Ended ended = run("guid", dataset, List.of("get", "-Hp", "-o", "value", "guid", dataset));
        if (!ended.succeeded() && ended.errors().contains(ABSENT)) {
            return Optional.empty();
        }
        String answer = succeeded(ended, dataset).output().strip();
        if (!GUID.matcher(answer).matches()) {
            throw new IOException("zfs get answered '" + answer + "' (expected: a guid of 64 bits)");
        }
        return Optional.of(answer);
    }

    @Override
    public Optional<DatasetState> find(String dataset) throws IOException {
        Ended ended = run("list", dataset, list("0", dataset));
        if (!ended.succeeded() && ended.errors().contains(ABSENT)) {
            return Optional.empty();
        }
        return Optional.ofNullable(read(succeeded(ended, dataset)).get(dataset));
    }

    @Override
    public Map<String, DatasetState> at(String parent) throws IOException {
        return read(succeeded(run("list", parent, list("1", parent)), parent));
    }

    private static List<String> list(String depth, String dataset) {
        return List.of("list", "-Hp", "-d", depth, "-t", "filesystem", "-o", String.join(",", COLUMNS), dataset);
    }

    private static Map<String, DatasetState> read(Ended ended) throws IOException {
        Map<String, DatasetState> all = new HashMap<>();
        for (String line : ended.output().lines().toList()) {
            String[] fields = line.split("\t", -1);
            if (fields.length != COLUMNS.size()) {
                throw new IOException("zfs list answered '" + line + "' (expected: " + COLUMNS + ")");
            }
            all.put(
                    fields[0],
                    new DatasetState(
                            bytes(fields[1]),
                            bytes(fields[2]),
                            bytes(fields[3]),
                            bytes(fields[4]),
                            fields[5].equals("off"),
                            fields[6].equals("yes"),
                            fields[7]));
        }
        return all;
    }

    private static long bytes(String field) throws IOException {
        try {
            return Math.max(0, Long.parseLong(field));
        } catch (NumberFormatException e) {
            throw new IOException("zfs list answered '" + field + "' (expected: a number of bytes)", e);
        }
    }

    @Override
    public void create(String dataset, String owner) throws IOException {
        change("create", dataset, "create", "-o", "mountpoint=legacy", "-o", OWNER + "=" + owner, dataset);
    }

    @Override
    public void snapshot(List<String> snapshots) throws IOException {
        String[] words =
                Stream.concat(Stream.of("snapshot"), snapshots.stream()).toArray(String[]::new);
        String more = snapshots.size() > 1 ? " and " + (snapshots.size() - 1) + " more" : "";
        change("snapshot", snapshots.getFirst() + more, words);
    }

    @Override
    public void clone(String snapshot, String dataset, String owner) throws IOException {
        change("clone", dataset, "clone", "-o", "mountpoint=legacy", "-o", OWNER + "=" + owner, snapshot, dataset);
    }

    @Override
    public void own(String dataset, String owner) throws IOException {
        change("own", dataset, "set", OWNER + "=" + owner, dataset);
    }

    @Override
    public void release(String snapshot) throws IOException {
        released(snapshot, snapshot);
    }

    @Override
    public void releaseAll(String dataset) throws IOException {
        released(dataset, dataset + "@%");
    }

    private void released(String name, String snapshots) throws IOException {
        Ended ended = run("release", name, List.of("destroy", "-d", snapshots));
        if (!ended.errors().contains(ABSENT) && !ended.errors().contains(LOST)) {
            var _ = succeeded(ended, name);
        }
    }

    @Override
    public boolean isReleased(String snapshot) throws IOException {
        Ended ended = run("released", snapshot, List.of("get", "-Hp", "-o", "value", "defer_destroy", snapshot));
        return ended.errors().contains(ABSENT)
                || succeeded(ended, snapshot).output().strip().equals("on");
    }

    @Override
    public void limit(String dataset, long bytes) throws IOException {
        change("limit", dataset, "set", "refquota=" + (bytes == 0 ? "none" : bytes), dataset);
    }

    @Override
    public void protect(String dataset) throws IOException {
        change("protect", dataset, "set", "readonly=on", dataset);
    }

    @Override
    public Optional<String> clone(String dataset) throws IOException {
        Ended ended = succeeded(
                run(
                        "clones",
                        dataset,
                        List.of(
                                "list",
                                "-Hp",
                                "-d",
                                "1",
                                "-t",
                                "snapshot",
                                "-S",
                                "createtxg",
                                "-o",
                                "clones",
                                dataset)),
                dataset);
        return ended.output()
                .lines()
                .flatMap(line -> Arrays.stream(line.strip().split(",", -1)))
                .filter(name -> !name.isEmpty() && !name.equals("-"))
                .findFirst();
    }

    @Override
    public void promote(String clone) throws IOException {
        change("promote", clone, "promote", clone);
    }

    @Override
    public void destroy(String dataset) throws IOException {
        change("destroy", dataset, "destroy", dataset); // not -r: what is below it is another's
    }

    private void change(String kind, String dataset, String... words) throws IOException {
        var _ = succeeded(run(kind, dataset, List.of(words)), dataset);
    }

    private static Ended succeeded(Ended ended, String dataset) throws IOException {
        if (ended.exitCode() == ABSENT_PROGRAM
                && !UNSTARTED.matcher(ended.errors()).find()) {
            throw new MissingProgramException("zfs on " + dataset + ": " + ended.trouble());
        }
        if (!ended.succeeded()) {
            throw new IOException("zfs on " + dataset + ": " + ended.trouble());
        }
        return ended;
    }

    private Ended run(String kind, String dataset, List<String> words) {
        List<String> argv = new ArrayList<>(List.of("zfs"));
        argv.addAll(words);
        Command command = Command.of(new Effect("zfs-" + kind, dataset), argv)
                .writing(new Command.Output.Text(MOST))
                .within(PATIENCE);
        return programs.run(
                command, works.begin("zfs", "asking zfs of " + dataset, Optional.of(PATIENCE), () -> false));
    }
}
