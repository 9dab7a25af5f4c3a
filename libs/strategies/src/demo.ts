export { demoRecords, demoSeed, type DemoOptions } from './demo/demo-records.ts';
export { fillDemoCatalogue, type DemoReport, type FillDemoOptions } from './demo/fill-demo-catalogue.ts';
