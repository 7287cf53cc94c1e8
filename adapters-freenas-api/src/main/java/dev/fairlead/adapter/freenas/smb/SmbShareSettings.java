package dev.fairlead.adapter.freenas.smb;

import com.google.gson.JsonObject;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.domain.digest.Digests;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.template.Template;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Holds the {@code smb} block of a connection's file, with democratic-csi's keys.
 *
 * @param host {@code shareHost}: the name or address by which nodes find the box
 * @param template {@code nameTemplate}: the name of a share; its dataset's own name if there is none
 * @param prefix {@code namePrefix}
 * @param suffix {@code nameSuffix}
 * @param allowed {@code shareAllowedHosts}: who may reach volumes that are open
 * @param denied {@code shareDeniedHosts}
 * @param options what else is set, by the names of the API's fields up to 25.04
 */
public record SmbShareSettings(
        String host,
        Optional<Template> template,
        String prefix,
        String suffix,
        List<String> allowed,
        List<String> denied,
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
        block.string(AUXILIARY)
                .filter(text -> !text.isBlank())
                .ifPresent(text -> options.addProperty("auxsmbconf", text));
        GONE.stream()
                .sorted()
                .filter(block::has)
                .forEach(key -> block.problems()
                        .warning(block.pathOf(key), block.lineOf(key), "is not used: no TrueNAS has it", "remove it"));
        return new SmbShareSettings(
                block.require("shareHost", "the name or address of the box, as nodes find it"),
                block.optional(
                                "nameTemplate",
                                Template::parse,
                                "a text, or a template such as '{{ parameters.[key] }}'")
                        .filter(text -> !text.source().isEmpty()),
                affix(block, "namePrefix"),
                affix(block, "nameSuffix"),
                block.strings("shareAllowedHosts"),
                block.strings("shareDeniedHosts"),
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

    static boolean isName(String text) {
        return NAME.matcher(text).matches() && text.equals(text.strip());
    }

    /** Returns the name of a volume's share, if a template does not say otherwise. */
    String usualName(VolumeMedium medium) {
        return whole(medium.path().substring(medium.path().lastIndexOf('/') + 1));
    }

    /** Returns the name for the share of a volume that is about to be made. */
    String plannedName(VolumeMedium medium, Map<String, Object> context) {
        return template.map(text -> whole(text.render(context))).orElseGet(() -> usualName(medium));
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
