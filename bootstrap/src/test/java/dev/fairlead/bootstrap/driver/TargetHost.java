package dev.fairlead.bootstrap.driver;

import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers the scripts of LIO's and nvmet's targets as a host does on which each of them comes to its end. */
final class TargetHost implements CommandRunner {
    private static final Pattern VALUE = Pattern.compile("(?m)^(\\w+)='?([^'\n]*)'?$");
    private static final Pattern ATTRIBUTE = Pattern.compile("(?<=[ '])(attr_)?(\\w+)=(\\w+)");

    /** Whom each device is shown to by name; nobody by name, if it is shown to everybody. */
    private final Map<String, List<String>> shown = new TreeMap<>();

    /** Returns the devices that are shown, and the hosts of each that are let in by name. */
    Map<String, List<String>> shown() {
        return Map.copyOf(shown);
    }

    @Override
    public Ended run(Command command, Work work) {
        Effect effect = command.effect();
        List<String> said = new ArrayList<>();
        work.effect(
                effect,
                () -> said.add(
                        effect.kind().startsWith("nvmet ")
                                ? nvmet(effect.kind(), command.argv().getLast())
                                : targetcli(effect)));
        return Ended.with(0, String.join("", said), "");
    }

    private String targetcli(Effect effect) {
        if (effect.kind().equals("targetcli export")) {
            shown.put(effect.target(), List.of());
            return "exported\n";
        }
        shown.remove(effect.target());
        return "unexported\n";
    }

    /** Returns what the script reports: a subsystem that is as the script was to make it, of a port that is there. */
    private String nvmet(String kind, String script) {
        Map<String, String> values = new TreeMap<>();
        Matcher value = VALUE.matcher(script.substring(0, script.indexOf("\nset --")));
        while (value.find()) {
            values.put(value.group(1), value.group(2));
        }
        var report = new StringBuilder("file\t" + values.get("wanted") + "\n");
        String device = values.getOrDefault("device", "");
        if (kind.equals("nvmet unexport")) {
            shown.remove(device);
            return report.toString();
        }
        List<String> hosts = List.of(values.getOrDefault("hosts", "").split(" ", -1)).stream()
                .filter(host -> !host.isEmpty())
                .toList();
        shown.put(device, hosts);
        report.append("namespaces\t1\nenable\t1\ndevice_path\t").append(device).append('\n');
        report.append("device_uuid\t").append(values.get("uuid")).append('\n');
        report.append("device_nguid\t").append(values.get("nguid")).append('\n');
        report.append("attr_serial\t").append(values.get("serial")).append('\n');
        hosts.forEach(host -> report.append("host\t").append(host).append('\n'));
        if ("no".equals(values.get("closed")) || !hosts.isEmpty()) {
            report.append("link\t1\n");
        }
        report.append("port/1/addr_trtype\ttcp\n");
        Matcher attribute = ATTRIBUTE.matcher(attributes(script));
        while (attribute.find()) {
            report.append("attr_").append(attribute.group(2)).append('\t');
            report.append(attribute.group(3)).append('\n');
        }
        return report.toString();
    }

    private static String attributes(String script) {
        int from = script.indexOf("\nset --") + 1;
        return script.substring(from, script.indexOf('\n', from));
    }

    @Override
    public void close() {}
}
