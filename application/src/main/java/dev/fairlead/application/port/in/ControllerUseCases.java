package dev.fairlead.application.port.in;

/** The controller's use cases, together. */
public record ControllerUseCases(
        CreateVolume createVolume,
        DeleteVolume deleteVolume,
        ExpandVolume expandVolume,
        ValidateVolume validateVolume,
        PublishVolume publishVolume,
        UnpublishVolume unpublishVolume,
        ListVolumes listVolumes,
        GetVolume getVolume,
        ReportCapacity reportCapacity,
        TakeSnapshot takeSnapshot,
        DeleteSnapshot deleteSnapshot,
        GetSnapshot getSnapshot,
        ListSnapshots listSnapshots,
        ModifyVolume modifyVolume,
        GroupUseCases groups) {}
