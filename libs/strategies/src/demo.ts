export { demoRecords } from './demo/demo-records.ts';
export { fillDemoCatalogue } from './demo/fill-demo-catalogue.ts';
