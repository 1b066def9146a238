// The build of sites that use real-user monitoring too.
import { start } from "./start";
import { measureVitals } from "./vitals";

start(measureVitals);
