package dev.fairlead.adapter.freenas.store;
import dev.fairlead.adapter.freenas.fake.*;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.domain.volume.*;
import dev.fairlead.testkit.fake.*;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
class DebugTest {
  @org.junit.jupiter.api.Test void x(@org.junit.jupiter.api.io.TempDir java.nio.file.Path p) {
    var box = new SimulatedBox(Profile.valueOf(System.getProperty("profile","V25_10")), p);
    try { var s = FreenasFixture.store(box, VolumeMedium.Kind.FILESYSTEM, java.util.Map.of());
    var r = TestVolumes.empty("pvc-a");
    s.create(s.plan(r, new NativeId("pvc-a")), TestWork.patient());
    s.deletionCheck(new NativeId("pvc-a"), OnDependents.REFUSE, TestWork.patient());
    s.delete(new NativeId("pvc-a"), OnDependents.REFUSE, TestWork.patient());
    } finally { box.entries().forEach(e -> System.out.println(e.method()+" "+e.params()+" "+e.outcome())); System.out.println(box.dump()); }
  }
}
