package dev.fairlead.simulator;

import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.model.Models;
import dev.fairlead.simulator.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Counts the arguments that were sent to a box and that fit the vendor's own models of that release. The box refuses
 * what does not fit: {@code VendorVectorsTest} holds it to the vendor's answers.
 */
public final class SentPayloads {
    private static final Pattern MISFIT = Pattern.compile(
            "Extra inputs are not permitted|Field required|Input should |Field was not expected|null not allowed"
                    + "|Too many arguments|String should |List should ");

    private final Models models = new Models();
    private final Profile profile;
    private final Set<String> withoutModel = new TreeSet<>();
    private final List<String> misfits = new ArrayList<>();
    private int fitting;

    /** Counts what is sent to a box of this release. */
    public SentPayloads(Profile profile) {
        this.profile = profile;
    }

    /** Checks that all that was sent to a box since its calls were forgotten last fits; returns how many did. */
    public static int verify(Simulator simulator) {
        var sent = new SentPayloads(simulator.profile());
        sent.add(simulator.calls());
        sent.verify();
        return sent.fitting();
    }

    private void verify() {
        require(misfits.isEmpty(), "do not fit: " + misfits);
        if (profile.since(Profile.V25_10_0)) { // older ones have few models, or none
            require(fitting > 0, "are none that have a model");
            List<String> changes =
                    withoutModel.stream().filter(CallLog::isChange).toList();
            require(changes.isEmpty(), "are of methods without a model: " + changes);
        }
    }

    private void require(boolean isSo, String trouble) {
        if (!isSo) throw new IllegalStateException("payloads to " + profile + " " + trouble);
    }

    /** Adds calls. */
    public void add(List<CallLog.Entry> calls) {
        calls.forEach(this::add);
    }

    private void add(CallLog.Entry call) {
        if (MISFIT.matcher(call.outcome()).find()) {
            misfits.add(call.toString());
        } else if (models.find(profile, call.method()).isPresent()) {
            fitting++;
        } else {
            withoutModel.add(call.method());
        }
    }

    /** Returns how many fitted. */
    public int fitting() {
        return fitting;
    }

    /** Returns those that did not fit, as they were sent. */
    public List<String> misfits() {
        return misfits;
    }

    /** Returns the methods that were called of which the release has no model. */
    public Set<String> withoutModel() {
        return withoutModel;
    }
}
