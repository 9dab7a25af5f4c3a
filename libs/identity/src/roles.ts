export { runRoleCommand } from './roles/run-role-command.ts';
