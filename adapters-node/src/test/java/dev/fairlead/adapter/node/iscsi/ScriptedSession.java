package dev.fairlead.adapter.node.iscsi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Plays what the kernel shows of a session. */
record ScriptedSession(Path root, int number) {
    void make(String iqn, String portal) throws IOException {
        Path session = Files.createDirectories(root.resolve("sys/devices/host" + number + "/session" + number));
        Path entry = Files.createDirectories(root.resolve("sys/class/iscsi_session/session" + number));
        Files.createSymbolicLink(entry.resolve("device"), session);
        Files.writeString(entry.resolve("targetname"), iqn + "\n");
        Files.writeString(entry.resolve("state"), "LOGGED_IN\n");
        Files.writeString(entry.resolve("ifacename"), "default\n");
        Files.writeString(entry.resolve("portal"), portal); // for show(); the kernel has no such file
        Path connection = Files.createDirectories(
                session.resolve("connection" + number + ":0/iscsi_connection/connection" + number + ":0"));
        int colon = portal.lastIndexOf(':');
        Files.writeString(
                connection.resolve("persistent_address"),
                portal.substring(0, colon).replaceAll("[\\[\\]]", ""));
        Files.writeString(connection.resolve("persistent_port"), portal.substring(colon + 1));
        Path host = Files.createDirectories(root.resolve("sys/class/scsi_host/host" + number));
        Files.writeString(host.resolve("scan"), "");
    }
}
