package dev.fairlead.adapter.freenas.iscsi;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.export.TemplateReader;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.domain.template.Template;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Says how volumes are shown, with democratic-csi's keys {@code extent…}.
 *
 * @param comment {@code extentCommentTemplate}
 * @param thirdParty {@code extentInsecureTpc}: whether initiators of several targets may copy between them, without
 *     being asked whether they are let in there
 * @param xen {@code extentXenCompat}
 * @param blockSize {@code extentBlocksize}
 * @param hidesPhysical {@code extentDisablePhysicalBlocksize}
 * @param rpm {@code extentRpm}
 * @param threshold {@code extentAvailThreshold}, in per cent
 */
record ExtentSettings(
        Optional<Template> comment,
        Optional<Boolean> thirdParty,
        boolean xen,
        int blockSize,
        boolean hidesPhysical,
        String rpm,
        Optional<Long> threshold) {
    private static final String THIRD_PARTY = "extentInsecureTpc";
    private static final String USUAL_SPEED = "SSD";
    private static final List<String> SPEEDS = List.of("UNKNOWN", USUAL_SPEED, "5400", "7200", "10000", "15000");
    private static final List<Integer> SIZES = List.of(512, 1024, 2048, 4096);

    static ExtentSettings read(ConfigNode block) {
        return new ExtentSettings(
                TemplateReader.comment(block, "extentCommentTemplate")
                        .filter(template -> !template.source().isEmpty()),
                block.has(THIRD_PARTY) ? Optional.of(block.bool(THIRD_PARTY, true)) : Optional.empty(),
                block.bool("extentXenCompat", false),
                block.optional("extentBlocksize", ExtentSettings::size, "write one of " + SIZES)
                        .orElse(512),
                block.bool("extentDisablePhysicalBlocksize", true),
                block.optional("extentRpm", ExtentSettings::speed, "write one of " + SPEEDS)
                        .orElse(USUAL_SPEED),
                block.optional("extentAvailThreshold", ExtentSettings::percent, "a number of per cent from 1 to 99")
                        .filter(percent -> percent > 0));
    }

    private static int size(String text) {
        return SIZES.stream()
                .filter(size -> size.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is no size that the box takes"));
    }

    private static String speed(String text) {
        String speed = text.strip().toUpperCase(Locale.ROOT);
        if (speed.isEmpty()) {
            return USUAL_SPEED;
        }
        if (!SPEEDS.contains(speed)) {
            throw new IllegalArgumentException("'" + text + "' is no speed that the box takes");
        }
        return speed;
    }

    private static long percent(String text) {
        if (!text.matches("[0-9]{1,2}")) {
            throw new IllegalArgumentException("'" + text + "' is no number from 0 to 99");
        }
        return Long.parseLong(text);
    }

    /**
     * Warns of copies between targets where volumes are closed to all but their nodes.
     *
     * @param publish the file's {@code fairlead.publish}
     */
    void check(ConfigNode block, Optional<String> publish) {
        if (thirdParty.orElse(false) && publish.filter("nodes"::equals).isPresent()) {
            block.problems()
                    .warning(
                            block.pathOf(THIRD_PARTY),
                            block.lineOf(THIRD_PARTY),
                            "is true: a node that one volume is published to may copy from and to others",
                            "leave it out, and it is false for volumes that are published to nodes");
        }
    }

    /** Returns the fields of an extent of this volume; {@code isClosed} if only its nodes are let in. */
    JsonObject fields(String name, String disk, String remark, boolean isClosed) {
        var fields = new JsonObject();
        fields.addProperty("name", name);
        fields.addProperty("type", "DISK");
        fields.addProperty("disk", disk);
        fields.addProperty("comment", remark);
        fields.addProperty("insecure_tpc", thirdParty.orElse(!isClosed));
        fields.addProperty("xen", xen);
        fields.add(
                "avail_threshold",
                threshold.<JsonElement>map(JsonPrimitive::new).orElse(JsonNull.INSTANCE));
        fields.addProperty("blocksize", blockSize);
        fields.addProperty("pblocksize", hidesPhysical);
        fields.addProperty("rpm", rpm);
        fields.addProperty("ro", false);
        return fields;
    }
}
