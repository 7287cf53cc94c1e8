package dev.fairlead.adapter.freenas.smb;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.export.ShareHost;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.digest.Digests;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.template.Template;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Holds the {@code smb} block of a connection's file, with democratic-csi's keys.
 *
 * @param host {@code shareHost}: the name or address by which nodes find the box
 * @param template {@code nameTemplate}: the name of a share; its dataset's own name if there is none
 * @param prefix {@code namePrefix}
 * @param suffix {@code nameSuffix}
 * @param allowed {@code shareAllowedHosts}: who may reach volumes that are open
 * @param denied {@code shareDeniedHosts}
 * @param auxiliary {@code shareAuxiliaryConfigurationTemplate}: lines of Samba's configuration
 * @param options what else is set, by the names of the API's fields up to 25.04
 */
public record SmbShareSettings(
        String host,
        Optional<Template> template,
        String prefix,
        String suffix,
        List<String> allowed,
        List<String> denied,
        Optional<Template> auxiliary,
        JsonObject options) {
    /** The keys that say yes or no, with the API's names of them. */
    private static final Map<String, String> SWITCHES = Map.of(
            "shareHome", "home",
            "shareGuestOk", "guestok",
            "shareRecycleBin", "recyclebin",
            "shareBrowsable", "browsable",
            "shareAccessBasedEnumeration", "abe",
            "shareTimeMachine", "timemachine");

    /** The keys of FreeNAS 11 that no TrueNAS takes any more. */
    private static final Set<String> GONE =
            Set.of("shareDefaultPermissions", "shareGuestOnly", "shareShowHiddenFiles", "shareStorageTask");

    private static final String AUXILIARY = "shareAuxiliaryConfigurationTemplate";
    private static final int LONGEST_NAME = 80;
    private static final Pattern NAME =
            Pattern.compile("[^\\\\/:*?\"<>|\\[\\]=;,+%\\p{Cntrl}]{1," + LONGEST_NAME + "}");

    public SmbShareSettings {
        allowed = List.copyOf(allowed);
        denied = List.copyOf(denied);
        options = options.deepCopy();
    }

    /** Reports every problem of the block; what it returns is of use only if there was none. */
    public static SmbShareSettings read(ConfigNode file) {
        ConfigNode block = file.child("smb");
        var options = new JsonObject();
        SWITCHES.forEach((key, field) -> {
            if (block.has(key)) {
                options.addProperty(field, block.bool(key, false));
            }
        });
        GONE.stream()
                .sorted()
                .filter(block::has)
                .forEach(key -> block.problems()
                        .warning(block.pathOf(key), block.lineOf(key), "is not used: no TrueNAS has it", "remove it"));
        return new SmbShareSettings(
                ShareHost.read(block),
                block.optional(
                                "nameTemplate",
                                Template::parse,
                                "a text, or a template such as '{{ parameters.[key] }}'")
                        .filter(text -> !text.source().isEmpty()),
                affix(block, "namePrefix"),
                affix(block, "nameSuffix"),
                block.strings("shareAllowedHosts"),
                block.strings("shareDeniedHosts"),
                block.optional(AUXILIARY, Template::parse, "lines of Samba's configuration, or a template of them"),
                options);
    }

    private static String affix(ConfigNode block, String key) {
        return block.optional(
                        key,
                        text -> {
                            if (!text.isEmpty() && !isName(text)) {
                                throw new IllegalArgumentException("has what no name of a share may have");
                            }
                            return text;
                        },
                        "expected: letters, digits and some signs")
                .orElse("");
    }

    @Override
    public JsonObject options() {
        return options.deepCopy();
    }

    /**
     * Returns the auxiliary configuration of a volume that is about to be made, to be noted with it; empty if there is
     * none, or if it is the same for all volumes.
     */
    Optional<String> plannedAuxiliary(String name, Map<String, String> parameters) {
        Map<String, String> plain = new TreeMap<>(parameters);
        // A line break in a value would begin a setting of its own.
        plain.replaceAll((_, value) -> value.replaceAll("\\p{Cntrl}", " "));
        return auxiliary
                .filter(template -> !isSameForAll(template))
                .map(template -> settings(template.render(Map.of("name", name, "parameters", plain))))
                .filter(text -> !text.isEmpty());
    }

    /** Returns the options of a volume's share. */
    JsonObject options(Optional<String> notedAuxiliary) {
        JsonObject all = options();
        notedAuxiliary
                .or(() -> auxiliary.filter(SmbShareSettings::isSameForAll).map(text -> settings(text.source())))
                .filter(text -> !text.isEmpty())
                .ifPresent(text -> all.addProperty("auxsmbconf", text));
        return all;
    }

    private static boolean isSameForAll(Template template) {
        return !template.source().contains("{{");
    }

    /** Returns the lines that set something: a share with comments only is an ordinary one. */
    private static String settings(String lines) {
        return lines.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.startsWith(";"))
                .collect(Collectors.joining("\n"));
    }

    static boolean isName(String text) {
        return NAME.matcher(text).matches() && text.equals(text.strip());
    }

    /** Returns the name of a volume's share, if a template does not say otherwise. */
    String usualName(VolumeMedium medium) {
        return named(medium.path());
    }

    private String named(String path) {
        return whole(path.substring(path.lastIndexOf('/') + 1));
    }

    /**
     * Returns the name for the share of a volume that is about to be made. If its store knows only later where it is,
     * and there is no template, the volume's id stands for the name that it will have.
     */
    String plannedName(VolumeStore.Birth birth, Map<String, Object> context) {
        String path = birth.medium().path();
        return template.map(text -> whole(text.render(context)))
                .orElseGet(() -> named(path.isEmpty() ? birth.id().value() : path));
    }

    private String whole(String own) {
        return Digests.shortened((prefix + own + suffix).toLowerCase(Locale.ROOT), LONGEST_NAME);
    }

    /** Returns what is wrong with a name, for people. */
    static String complaint(String name) {
        return "would name the volume's share " + Excerpt.of(name) + " (expected: at most " + LONGEST_NAME
                + " characters, none of \\ / : * ? \" < > | [ ] = ; , + %)";
    }
}
