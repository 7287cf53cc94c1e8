package dev.fairlead.adapter.zfs.host;

import dev.fairlead.adapter.zfs.cli.FileLines;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.Property;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Checks what the storage host itself shares, because the pool's properties do not prove it. OpenZFS on Linux leaves
 * sharing to {@code exportfs} and {@code net usershare}, and reports nothing if they fail. On other systems there is
 * nothing to check, and the property has to do.
 */
public record HostView(ShareProtocol protocol, Elevation asRoot) {
    /** The name of the row that the look prints, which is no property of a dataset. */
    public static final String ROW = "fairlead:shared";

    private static final String EXPORTS = "/var/lib/nfs/etab";

    /** The folder of Samba's usershares, which is built into OpenZFS, whatever Samba's configuration says. */
    private static final String USERSHARES = "/var/lib/samba/usershares/";

    private static final String PATH = "path=";
    private static final Pattern PLAIN_END = Pattern.compile("[A-Za-z0-9_./:-]*$");

    private enum SharePart implements Steps.Part {
        UNCLAIMED
    }

    /** Tells what was found of a share. */
    public enum Finding {
        /** The host cannot be asked. */
        UNKNOWN,
        THERE,
        ABSENT,
        /** A share of the same name belongs to another dataset. */
        ANOTHERS
    }

    /** @param mountpoint the mountpoint, if it is known; otherwise any path that ends with the dataset's name */
    public Steps look(DatasetName dataset, Optional<String> mountpoint) {
        return new Steps().row(dataset.value(), ROW, lines(dataset, mountpoint.orElse("/" + dataset.leaf())));
    }

    /**
     * Returns a step that fails if a share of this name has another path; no step for NFS, whose shares have no names.
     */
    public Steps unclaimed(DatasetName dataset, Optional<String> mountpoint) {
        return protocol == ShareProtocol.SMB
                ? new Steps()
                        .and(
                                SharePart.UNCLAIMED,
                                new Steps().noneBut(lines(dataset, ""), mountpoint.map(path -> PATH + path)))
                : new Steps();
    }

    /** Returns whether the step of {@link #unclaimed} failed. */
    public static boolean isClaimed(StepsOutcome outcome) {
        return outcome.failedIn(SharePart.UNCLAIMED);
    }

    /** Removes the share that is left of a deleted dataset. */
    public Steps removeLeft(DatasetName dataset, String mountpoint) {
        return new Steps()
                .removeWhere(
                        lines(dataset, ""),
                        PATH + mountpoint,
                        asRoot.of(List.of("net", "usershare", "delete", ShareNames.file(dataset))));
    }

    private FileLines lines(DatasetName dataset, String path) {
        return switch (protocol) {
            case NFS -> new FileLines(EXPORTS, List.of("-F", "-e", plainEnd(path) + "\t"), asRoot);
            case SMB -> new FileLines(USERSHARES + ShareNames.file(dataset), List.of("-e", "^" + PATH), asRoot);
        };
    }

    /** Returns the path of the SMB share that was found. */
    public static String namedPath(Map<String, Property> rows) {
        return Optional.ofNullable(rows.get(ROW))
                .map(Property::value)
                .orElse("")
                .replaceFirst(PATH, "");
    }

    /** Returns the path of the share that {@link #unclaimed} found; empty if the step failed for another reason. */
    public static Optional<String> otherPath(StepsOutcome outcome) {
        return outcome.said()
                .lines()
                .filter(line -> line.startsWith(PATH))
                .map(line -> line.substring(PATH.length()))
                .findFirst();
    }

    /** Returns the end of a path up to the last character that the file writes in another way. */
    private static String plainEnd(String path) {
        var matcher = PLAIN_END.matcher(path);
        return matcher.find() ? matcher.group() : "";
    }

    public Finding find(Map<String, Property> rows, String mountpoint) {
        Property row = rows.get(ROW);
        if (row == null || !row.isSet()) {
            return Finding.UNKNOWN;
        }
        return switch (protocol) {
            case NFS ->
                row.value().lines().anyMatch(line -> path(line).equals(mountpoint)) ? Finding.THERE : Finding.ABSENT;
            case SMB -> {
                if (row.value().isEmpty()) {
                    yield Finding.ABSENT;
                }
                yield row.value().equals(PATH + mountpoint) ? Finding.THERE : Finding.ANOTHERS;
            }
        };
    }

    /** Returns the clients to whom the host exports a path by NFS; none if it cannot be asked. */
    public Set<String> clients(Map<String, Property> rows, String mountpoint) {
        Property row = rows.get(ROW);
        return row == null || !row.isSet() || protocol != ShareProtocol.NFS
                ? Set.of()
                : row.value()
                        .lines()
                        .filter(line -> path(line).equals(mountpoint))
                        .map(line -> line.substring(line.indexOf('\t') + 1).replaceFirst("\\(.*", ""))
                        .map(client -> client.replaceAll("[\\[\\]]", ""))
                        .collect(Collectors.toSet());
    }

    /** Returns the path in a line of exports, in which blanks and the like are written as octal numbers. */
    private static String path(String line) {
        String path = line.split("\t", 2)[0];
        return Pattern.compile("\\\\([0-7]{3})")
                .matcher(path)
                .replaceAll(number -> java.util.regex.Matcher.quoteReplacement(
                        String.valueOf((char) Integer.parseInt(number.group(1), 8))));
    }

    /** Returns a text that says what an administrator can do about a share that does not exist. */
    public String remedy(DatasetName dataset) {
        return switch (protocol) {
            case NFS -> "see there what 'exportfs -ra' complains of, and whether the NFS server is installed";
            case SMB ->
                "see there whether Samba has room for it ('usershare max shares' of smb.conf is 100 unless it says"
                        + " more), and what 'net usershare add "
                        + ShareNames.of(dataset).toLowerCase(Locale.ROOT)
                        + "' complains of";
        };
    }
}
