package dev.fairlead.simulator.shell;

/** Holds what a program said, and its exit code. */
record Printed(int code, String output, String errors) {
    static Printed of(String output) {
        return new Printed(0, output, "");
    }

    static Printed failed(String errors) {
        return new Printed(1, "", errors + "\n");
    }
}
