package dev.fairlead.adapter.local.pool;

class DirectoryPoolTest extends PoolContract {
    @Override
    String kind() {
        return "directory";
    }
}
