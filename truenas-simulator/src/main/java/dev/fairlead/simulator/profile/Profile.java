package dev.fairlead.simulator.profile;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A release of the vendor's software, as its behaviour differs; in the order in which a box is upgraded. */
public enum Profile {
    /** CORE 13.0-U6.8: REST and the old socket only. */
    CORE_13_0("13.0", "TrueNAS-13.0-U6.8", "", List.of()),
    /** SCALE 24.10, whose keys have a list of what they may call. */
    SCALE_24_10("24.10", "TrueNAS-SCALE-24.10.2.4", "", List.of()),
    /** The first with JSON-RPC 2.0 and keys of users. */
    V25_04("25.04", "TrueNAS-25.04.2.6", "25.04", List.of("v25.04.0", "v25.04.1", "v25.04.2")),
    /** The first 25.10, with at most 42 hosts in a share. */
    V25_10_0("25.10.0", "TrueNAS-25.10.0", "25.10.0", List.of("v25.04.0", "v25.04.1", "v25.04.2", "v25.10.0")),
    /** The last 25.10 that was read, the last with REST. */
    V25_10(
            "25.10",
            "TrueNAS-25.10.6",
            "25.10",
            List.of(
                    "v25.04.0",
                    "v25.04.1",
                    "v25.04.2",
                    "v25.10.0",
                    "v25.10.1",
                    "v25.10.2",
                    "v25.10.3",
                    "v25.10.4",
                    "v25.10.5")),
    /** The third beta of 26, which drops user properties at creation. */
    V26_BETA(
            "26-beta",
            "TrueNAS-26.0.0-BETA.3",
            "26-beta",
            List.of(
                    "v25.04.0",
                    "v25.04.1",
                    "v25.04.2",
                    "v25.10.0",
                    "v25.10.1",
                    "v25.10.2",
                    "v25.10.3",
                    "v25.10.4",
                    "v26.0.0")),
    /** The candidate of 26, as it was read last. */
    V26(
            "26",
            "TrueNAS-26.0.0-RC.1",
            "26",
            List.of(
                    "v25.04.0",
                    "v25.04.1",
                    "v25.04.2",
                    "v25.10.0",
                    "v25.10.1",
                    "v25.10.2",
                    "v25.10.3",
                    "v25.10.4",
                    "v25.10.5",
                    "v26.0.0")),
    /** An invented successor, which renames and removes. */
    V27(
            "27",
            "TrueNAS-27.0.0",
            "26",
            List.of(
                    "v25.04.0",
                    "v25.04.1",
                    "v25.04.2",
                    "v25.10.0",
                    "v25.10.1",
                    "v25.10.2",
                    "v25.10.5",
                    "v26.0.0",
                    "v27.0.0"));

    private final String title;
    private final String version;
    private final String models;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> apis;

    Profile(String title, String version, String models, List<String> apis) {
        this.title = title;
        this.version = version;
        this.models = models;
        this.apis = apis;
    }

    /** Returns the name that a command line says, such as 25.10.0. */
    public String title() {
        return title;
    }

    /** Returns what system.version answers. */
    public String version() {
        return version;
    }

    /** Returns the version without the product's name. */
    public String shortVersion() {
        return version.replaceFirst("^TrueNAS-(SCALE-)?", "");
    }

    /** Returns the name of the payload models' file, or nothing for a release that has none. */
    public String models() {
        return models;
    }

    /** Returns the versions of the API whose paths are served; empty for a release without JSON-RPC. */
    public List<String> apis() {
        return apis;
    }

    /** Tells whether the old API by URLs is served. */
    public boolean rest() {
        return before(V26_BETA);
    }

    /** Tells whether JSON-RPC 2.0 is served. */
    public boolean rpc() {
        return since(V25_04);
    }

    /** Tells whether this release is that one or a later one. */
    public boolean since(Profile other) {
        return compareTo(other) >= 0;
    }

    /** Tells whether this release is earlier than that one. */
    public boolean before(Profile other) {
        return compareTo(other) < 0;
    }

    /** Finds the release whose shapes a versioned path of this box speaks. */
    public Optional<Profile> spokenAt(String api) {
        if (api.equals("current")) return Optional.of(this);
        if (!apis.contains(api)) return Optional.empty();
        if (api.startsWith("v25.04")) return Optional.of(V25_04);
        if (api.equals("v25.10.0")) return Optional.of(V25_10_0);
        if (api.startsWith("v25.10")) return Optional.of(V25_10);
        if (api.startsWith("v26")) return Optional.of(this == V26_BETA ? V26_BETA : V26);
        return Optional.of(this);
    }

    /** Finds a release by its name on the command line. */
    public static Optional<Profile> named(String title) {
        return Arrays.stream(values())
                .filter(profile -> profile.title.equals(title))
                .findFirst();
    }
}
