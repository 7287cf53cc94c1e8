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
import java.util.regex.Pattern;

/**
 * What the storage host itself shares, past the pool's word for it. OpenZFS on Linux leaves sharing to {@code exportfs}
 * and {@code net usershare}, and says nothing where they fail. Elsewhere there is nothing to look at, and the property
 * has to do.
 */
public record HostView(ShareProtocol protocol, Elevation asRoot) {
    /** The row of the look: no property of any dataset. */
    public static final String ROW = "fairlead:shared";

    private static final String EXPORTS = "/var/lib/nfs/etab";

    /** Built into OpenZFS, whatever Samba's configuration says. */
    private static final String USERSHARES = "/var/lib/samba/usershares/";

    private static final String PATH = "path=";
    private static final Pattern PLAIN_END = Pattern.compile("[A-Za-z0-9_./:-]*$");

    /** What was found of a share. */
    public enum Finding {
        /** The host is one that cannot be asked. */
        UNKNOWN,
        THERE,
        ABSENT,
        /** One of the same name, which is another dataset's. */
        ANOTHERS
    }

    /** @param mountpoint where it is known; otherwise its name is its end */
    public Steps look(DatasetName dataset, Optional<String> mountpoint) {
        return new Steps().row(dataset.value(), ROW, lines(dataset, mountpoint.orElse("/" + dataset.leaf())));
    }

    /** Shares of NFS have no names but their paths. */
    public Steps unclaimed(DatasetName dataset, Optional<String> mountpoint) {
        return protocol == ShareProtocol.SMB
                ? new Steps().noneBut(lines(dataset, ""), mountpoint.map(path -> PATH + path))
                : new Steps();
    }

    /** Takes away what is left of a dataset that is gone. */
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

    /** The path that a share of SMB was found to be of. */
    public static String namedPath(Map<String, Property> rows) {
        return Optional.ofNullable(rows.get(ROW))
                .map(Property::value)
                .orElse("")
                .replaceFirst(PATH, "");
    }

    /** The path that {@link #unclaimed} has found in the way; empty where it failed for another reason. */
    public static Optional<String> otherPath(Outcome outcome) {
        return outcome.said()
                .lines()
                .filter(line -> line.startsWith(PATH))
                .map(line -> line.substring(PATH.length()))
                .findFirst();
    }

    /** What is not plain is written in another way there. */
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

    /** The path that a line of exports is of: blanks and their like are written as numbers of eight. */
    private static String path(String line) {
        String path = line.split("\t", 2)[0];
        return Pattern.compile("\\\\([0-7]{3})")
                .matcher(path)
                .replaceAll(number -> java.util.regex.Matcher.quoteReplacement(
                        String.valueOf((char) Integer.parseInt(number.group(1), 8))));
    }

    /** What an administrator can do about a share that is not there. */
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
