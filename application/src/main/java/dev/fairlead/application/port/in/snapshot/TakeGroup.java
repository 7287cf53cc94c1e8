package dev.fairlead.application.port.in.snapshot;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.CsiName;
import java.util.List;
import java.util.Map;

/** Takes snapshots of several volumes at one instant. */
public interface TakeGroup {
    GroupView take(CsiName name, List<String> sourceVolumes, Map<String, String> parameters, Work work);
}
