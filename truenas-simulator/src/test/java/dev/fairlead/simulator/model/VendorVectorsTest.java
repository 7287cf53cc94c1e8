package dev.fairlead.simulator.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.error.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Holds the models to what the vendor's own models answered to 154 payloads in each release: attribute, text and errno.
 */
class VendorVectorsTest {
    private final Models models = new Models();

    @ParameterizedTest
    @CsvSource({"V25_04, 53", "V25_10_0, 142", "V25_10, 142", "V26_BETA, 154", "V26, 154"})
    void each_payload_is_answered_as_the_vendor_s_models_answer_it(Profile profile, int expected) throws IOException {
        Map<String, String> different = new TreeMap<>();
        int compared = 0;
        int withoutModel = 0;
        for (String line : lines(profile)) {
            JsonObject vector = JsonParser.parseString(line).getAsJsonObject();
            if (!vector.has("accepted") && !vector.has("errors")) {
                withoutModel++;
                continue;
            }
            compared++;
            String method = JsonTools.text(vector, "method");
            JsonArray params = JsonTools.list(vector, "params");
            Optional<JsonObject> model = models.find(profile, method);
            Set<String> ours = model.isEmpty()
                    ? new TreeSet<>(List.of("no model"))
                    : texts(ModelCheck.violations(profile, model.get(), method, params));
            Set<String> theirs = new TreeSet<>();
            for (JsonElement error : JsonTools.list(vector, "errors"))
                theirs.add(told(
                        error.getAsJsonArray().get(0).getAsString(),
                        error.getAsJsonArray().get(1).getAsString(),
                        error.getAsJsonArray().get(2).getAsInt()));
            if (!ours.equals(theirs))
                different.put(method + params, "\n  ours   " + ours + "\n  theirs " + theirs + "\n");
        }

        String told = "%s %d %d %d%n".formatted(profile, compared, different.size(), withoutModel);
        System.out.print("vectors: release, compared, different, not a method of the release: " + told);
        Files.writeString(
                Path.of("target", "truenas-vectors"), // for the table of lab/truenas test
                told,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        assertThat(different).isEmpty();
        assertThat(compared).isEqualTo(expected);
    }

    private static Set<String> texts(List<Violation> violations) {
        Set<String> texts = new TreeSet<>();
        violations.forEach(each -> texts.add(told(each.attribute().orElse(""), each.text(), each.number())));
        return texts;
    }

    private static String told(String attribute, String text, int errno) {
        return attribute + ": " + text + " (" + errno + ")";
    }

    private static List<String> lines(Profile profile) throws IOException {
        try (InputStream in = VendorVectorsTest.class.getResourceAsStream("vectors-" + profile.title() + ".jsonl")) {
            if (in == null) throw new IOException("no vectors of " + profile);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }
}
