package dev.fairlead.bootstrap.driver;

import java.util.function.Function;

/** Formats the table of driver types for people; the README has the same text. */
public final class DriverMatrix {
    private DriverMatrix() {}

    public static String markdown(DriverTypes types) {
        var text = new StringBuilder("| driver | store | exporter | state | remark |\n|---|---|---|---|---|\n");
        for (DriverType type : types.rows()) {
            text.append("| `%s` | %s | %s | %s | %s |\n"
                    .formatted(
                            type.name(),
                            orDash(type.store()),
                            orDash(type.exporter()),
                            state(type),
                            type.remark().replace("|", "\\|")));
        }
        return text.toString();
    }

    public static String plain(DriverTypes types) {
        int name = width(types, DriverType::name);
        int made = width(types, DriverMatrix::parts);
        var text = new StringBuilder();
        for (DriverType type : types.rows()) {
            text.append("%-16s  %s  %s  %s%n"
                    .formatted(type.state().words(), pad(type.name(), name), pad(parts(type), made), type.remark()));
        }
        return text.toString();
    }

    private static String state(DriverType type) {
        return type.state() == DriverType.State.AVAILABLE
                ? "**available**"
                : type.state().words();
    }

    private static String parts(DriverType type) {
        return type.store().isEmpty() ? "-" : type.store() + " + " + type.exporter();
    }

    private static int width(DriverTypes types, Function<DriverType, String> column) {
        return types.rows().stream()
                .mapToInt(t -> column.apply(t).length())
                .max()
                .orElse(0);
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(width - text.length());
    }

    private static String orDash(String text) {
        return text.isEmpty() ? "–" : text;
    }
}
