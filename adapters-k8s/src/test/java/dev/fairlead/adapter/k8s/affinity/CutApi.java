package dev.fairlead.adapter.k8s.affinity;

import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Ends the process, as far as the code under test can tell, before or after one of its calls. */
final class CutApi implements ApiCalls {
    private final ApiCalls api;
    private final int at;
    private final boolean after;
    private final List<String> calls = new ArrayList<>();

    CutApi(ApiCalls api, int at, boolean after) {
        this.api = api;
        this.at = at;
        this.after = after;
    }

    /** The end of the process. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    List<String> calls() {
        return List.copyOf(calls);
    }

    @Override
    public ApiAnswer ask(ApiRequest request, Duration patience) {
        calls.add(request.verb() + " " + request.what());
        if (calls.size() > at) {
            if (after && calls.size() == at + 1) {
                api.ask(request, patience);
            }
            throw new Killed();
        }
        return api.ask(request, patience);
    }
}
