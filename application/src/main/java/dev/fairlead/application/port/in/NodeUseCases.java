package dev.fairlead.application.port.in;

/** Holds the use cases of the node service. */
public record NodeUseCases(
        StageVolume stageVolume,
        UnstageVolume unstageVolume,
        MountVolume mountVolume,
        UnmountVolume unmountVolume,
        MeasureVolume measureVolume,
        GrowFilesystem growFilesystem,
        DescribeNode describeNode) {}
