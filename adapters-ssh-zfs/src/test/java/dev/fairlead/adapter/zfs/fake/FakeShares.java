package dev.fairlead.adapter.zfs.fake;

import dev.fairlead.adapter.zfs.fake.FakeDatasets.Node;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a storage host in memory exports by NFS and shares by SMB, as OpenZFS 2.1 on Linux was seen to make it of the
 * properties: by programs whose failures it does not tell, and by names that two datasets can have.
 */
public final class FakeShares {
    private static final Set<String> CHANGES =
            Set.of("create", "clone", "receive", "set", "inherit", "destroy", "rename", "promote", "mount");

    private static final List<String> DELETE = List.of("net", "usershare", "delete");

    private final FakeDatasets pool;
    /** The file that exportfs reads, what it has made of it, and what others have. */
    private final SortedMap<String, String> toExport = new TreeMap<>();

    private final SortedMap<String, String> exports = new TreeMap<>();
    private final SortedMap<String, String> byHand = new TreeMap<>();
    private final SortedMap<String, String> shares = new TreeMap<>();
    private SortedMap<String, Seen> seen = new TreeMap<>();
    private boolean exportfsFails;
    private boolean asked = true;
    private boolean samba = true;
    private int most = Integer.MAX_VALUE;

    /** What a dataset was last shared as. */
    private record Seen(String nfs, String smb, String path) {}

    FakeShares(FakeDatasets pool) {
        this.pool = pool;
    }

    /** From now on {@code exportfs} changes nothing, or does again. */
    public void exportfsFails(boolean fails) {
        exportfsFails = fails;
    }

    /** From now on Samba lets go of none. */
    public void keepsShares() {
        samba = false;
    }

    /** From now on Samba takes so many, and no more. */
    public void most(int shares) {
        most = shares;
    }

    /** The options of exports, by their paths. */
    public SortedMap<String, String> exports() {
        settle("");
        return new TreeMap<>(exports);
    }

    /** The paths of shares, by their names as Samba keeps them. */
    public SortedMap<String, String> named() {
        settle("");
        return new TreeMap<>(shares);
    }

    /** Loses all, as a host does whose files are gone; the pool has its properties as before. */
    public void forget() {
        settle("");
        exports.clear();
        toExport.clear();
        shares.clear();
    }

    /** Makes it a host of another system, which shares by itself and keeps no files of it. */
    public void cannotBeAsked() {
        asked = false;
    }

    boolean canBeAsked() {
        return asked;
    }

    /** A share of SMB that is there whatever the pool has. */
    public void put(String name, String path) {
        settle("");
        shares.put(name, path);
    }

    /** The same of NFS. */
    public void put(String path) {
        settle("");
        byHand.put(path, "rw");
        exports.put(path, "rw");
    }

    /** What ZFS does at the end of a command. */
    void after(List<String> words) {
        if (words.size() > 1 && (CHANGES.contains(words.get(1)) || words.contains("|"))) {
            settle(
                    words.get(1).equals("set") ? words.getLast() : "",
                    words.get(1).equals("destroy"));
            exportfs();
        }
    }

    private void settle(String again) {
        settle(again, false);
    }

    /**
     * A dataset that is destroyed leaves its share of SMB behind.
     *
     * @param again a dataset that is shared anew though nothing has changed
     * @param destroyed whether those that are gone were destroyed just now
     */
    private void settle(String again, boolean destroyed) {
        SortedMap<String, Seen> now = new TreeMap<>();
        pool.nodes.forEach((name, node) -> {
            if (node.type().equals("filesystem") && !node.own().containsKey("receive_resume_token")) {
                now.put(name, new Seen(value(name, "sharenfs"), value(name, "sharesmb"), pool.mountpoint(name)));
            }
        });
        seen.forEach((name, before) -> {
            if (!before.equals(now.get(name))) {
                unshare(before, !destroyed || now.containsKey(name));
            }
        });
        now.forEach((name, current) -> {
            if (!current.equals(seen.get(name)) || name.equals(again)) {
                share(name, current);
            }
        });
        if (!seen.equals(now)) {
            exportfs();
        }
        seen = now;
    }

    private void exportfs() {
        if (!exportfsFails) {
            exports.clear();
            exports.putAll(toExport);
            exports.putAll(byHand);
        }
    }

    private String value(String name, String property) {
        for (String at = name; !at.isEmpty(); at = FakeDatasets.above(at)) {
            Node node = pool.nodes.get(at);
            if (node != null && node.own().containsKey(property)) {
                return node.own().getOrDefault(property, "off");
            }
        }
        return "off";
    }

    private void unshare(Seen gone, boolean byName) {
        toExport.remove(gone.path());
        if (byName) {
            shares.values().removeIf(gone.path()::equals);
        }
    }

    private void share(String name, Seen current) {
        if (!current.nfs().equals("off")) {
            toExport.put(current.path(), current.nfs());
        }
        String key = name.replaceAll("[/: -]", "_").toLowerCase(Locale.ROOT);
        if (!current.smb().equals("off") && (shares.containsKey(key) || shares.size() < most)) {
            shares.put(key, current.path());
        }
    }

    /** What {@code grep} finds in the files that keep them. */
    String grep(List<String> words) {
        settle("");
        String file = words.getLast();
        String pattern = words.get(words.indexOf("-e") + 1);
        if (file.equals("/var/lib/nfs/etab")) {
            return exports.entrySet().stream()
                    .flatMap(entry -> clients(entry.getValue())
                            .map(client -> entry.getKey().replace(" ", "\\040") + "\t" + client + "(" + entry.getValue()
                                    + ")"))
                    .filter(line -> line.contains(pattern))
                    .collect(Collectors.joining("\n"));
        }
        String share = file.substring("/var/lib/samba/usershares/".length());
        return shares.containsKey(share) ? "path=" + Map.copyOf(shares).get(share) : "";
    }

    /** The hosts of a value, of which each has a line of its own in the file; an asterisk where it names none. */
    private static Stream<String> clients(String value) {
        List<String> hosts = Pattern.compile("\\br[wo]=([^,]*)")
                .matcher(value)
                .results()
                .flatMap(list -> Pattern.compile("\\[[^]]*]|[^:]+")
                        .matcher(list.group(1))
                        .results())
                .map(MatchResult::group)
                .toList();
        return hosts.isEmpty() ? Stream.of("*") : hosts.stream();
    }

    /** What {@code net usershare} does. */
    void net(List<String> words) {
        if (!words.subList(0, DELETE.size()).equals(DELETE)) {
            throw new AssertionError("not known: " + words);
        }
        if (samba) {
            shares.remove(words.getLast());
        } else {
            throw new FakeDatasets.Refused("net usershare delete: cannot remove share: Permission denied");
        }
    }

    /** For the eyes of whoever reads a failure. */
    @Override
    public String toString() {
        settle("");
        return exports + " " + shares;
    }
}
