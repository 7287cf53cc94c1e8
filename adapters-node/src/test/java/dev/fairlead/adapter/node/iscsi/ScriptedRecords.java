package dev.fairlead.adapter.node.iscsi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Plays the node records that iscsiadm keeps. */
record ScriptedRecords(Path folder) {
    Path file(String iqn, String portal) {
        String place = portal.replaceAll("[\\[\\]]", "").replaceFirst(":([0-9]+)$", ",$1");
        return folder.resolve(iqn).resolve(place);
    }

    Path make(String iqn, String portal) throws IOException {
        Path record = file(iqn, portal);
        Files.createDirectories(record.getParent());
        Files.writeString(
                record,
                "# BEGIN RECORD 2.1.8\nnode.name = " + iqn
                        + "\nnode.startup = automatic\nnode.session.auth.authmethod = None\n# END RECORD\n");
        return record;
    }

    /** Returns whether a login by a record shows all LUNs. */
    boolean scanForAll(String iqn, String portal) throws IOException {
        return !Files.readString(file(iqn, portal)).contains("node.session.scan = manual");
    }
}
